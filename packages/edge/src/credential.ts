import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isApiKey } from '@svc/contracts/api-key'
import type { Credential } from './directory.ts'

const MAX_TOKEN = 2_048
/** Longer than any key. */
const KEY_MAX = 100

/** Returns true if a request contains both a key and a token. */
export const bringsTwo = (headers: IncomingHttpHeaders): boolean =>
  headers['x-svc-user-key'] !== undefined && headers.authorization !== undefined

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
