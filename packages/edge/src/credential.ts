import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isApiKey } from '@svc/contracts/api-key'
import type { Credential } from './directory.ts'

const MAX_TOKEN = 2_048
/** Longer than any key. */
const KEY_MAX = 100

/** Returns true if a request contains both a key and a token. */
const bringsTwo = (headers: IncomingHttpHeaders): boolean =>
  headers['x-svc-user-key'] !== undefined && headers.authorization !== undefined

/** Returns what is wrong with a credential that opens nothing, by the header that brought it, and what to send instead. */
export function credentialProblem(headers: IncomingHttpHeaders): { readonly detail: string; readonly fix: string } {
  if (bringsTwo(headers))
    return {
      detail: 'An API key and a bearer token came together.',
      fix: 'Send the one of the account that calls: X-SVC-User-Key for an agent, Authorization for an owner.',
    }
  const { authorization } = headers
  if (authorization === undefined)
    return looksLikeToken(headers['x-svc-user-key'])
      ? {
          detail: 'X-SVC-User-Key brought the token of a session.',
          fix: 'Send it as Authorization: Bearer <token>; X-SVC-User-Key takes the API keys of agents.',
        }
      : {
          detail: 'The API key in X-SVC-User-Key is unknown, expired, revoked or malformed.',
          fix: 'Make a new key with POST /auth/agent/keys and a signature of purpose "key", or register with POST /auth/agent/register.',
        }
  return /^(bearer )?svc_/i.test(authorization)
    ? { detail: 'Authorization brought an API key.', fix: 'Send the key as X-SVC-User-Key: <key>.' }
    : {
        detail: 'The session token in Authorization is unknown, expired or malformed.',
        fix: 'Sign in again with POST /auth/wallet/session and send Authorization: Bearer <token>. Agents send X-SVC-User-Key: <key>.',
      }
}

const looksLikeToken = (value: unknown) => typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)

/**
 * Returns the credential of a request: `undefined` without one, `null` for a malformed one. A request with both a key
 * and a token is ambiguous and gets `null`. A key whose hash `isKnown` is not checked for its form again.
 */
export function credentialOf(
  headers: IncomingHttpHeaders,
  isKnown: (hash: string) => boolean = () => false,
): Credential | null | undefined {
  const key = headers['x-svc-user-key']
  const authorization = headers.authorization
  if (bringsTwo(headers)) return null
  if (key !== undefined) {
    if (typeof key !== 'string' || key.length > KEY_MAX) return null
    const hashed = hash('sha256', key)
    return isKnown(hashed) || isApiKey(key) ? { kind: 'key', hash: hashed } : null
  }
  if (authorization === undefined) return undefined
  const match = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i.exec(authorization)
  return match?.[1] === undefined || match[1].length > MAX_TOKEN ? null : { kind: 'token', token: match[1] }
}
