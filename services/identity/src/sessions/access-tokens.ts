import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, CompactSign, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { sha256 } from './rules/refresh-token.ts'
import { LRUCache } from 'lru-cache'

/** Lifetime of a token in seconds. */
export const TOKEN_LIFE_SEC = 900
const CACHE_MAX = 10_000
/** Maximum difference between the clocks of two instances: a token may be issued this many seconds in the future. */
const CLOCK_SKEW_SEC = 90

const times = { iat: z.int(), exp: z.int() }
const claims = z.discriminatedUnion('role', [
  z.object({ role: z.literal('owner'), sub: z.string(), sid: z.string().regex(/^[0-9a-f]{32}$/), ...times }),
  z.object({ role: z.literal('keeper'), sub: z.literal('keeper'), epoch: z.string(), ...times }),
])

/** Returns true if a token was issued within the lifetime of tokens; its `exp` alone is not trusted. */
function hasAge({ iat, exp }: { readonly iat: number; readonly exp: number }, now: Date): boolean {
  const age = now.getTime() / 1000 - iat
  return exp - iat <= TOKEN_LIFE_SEC && age <= TOKEN_LIFE_SEC && age >= -CLOCK_SKEW_SEC
}

/** Returns true if the header is written as tokens are minted: no other type, member, order or encoding means a token. */
function isAsMinted(token: string, { kid }: { readonly kid?: string }): boolean {
  const minted = JSON.stringify({ alg: 'EdDSA', typ: 'JWT', kid })
  const parts = token.split('.')
  return (
    parts[0] === Buffer.from(minted).toString('base64url') &&
    parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

/** Claims of a verified token. It names a session or the keeper, whose validity is checked at every use. */
export type TokenClaims = z.output<typeof claims>

export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

export interface Minted {
  readonly token: string
  readonly expiresAt: Date
}

/** Issues and verifies the JWTs of owner sessions and of the keeper (EdDSA over Ed25519). */
export interface AccessTokens {
  readonly jwks: readonly PublicJwk[]
  forSession(accountId: number, sessionId: string, now: Date): Promise<Minted>
  forKeeper(clientSecret: string, now: Date): Promise<Minted>
  /** Signs a compact JWS whose type differs from that of tokens, so that it is never accepted as one. */
  signDocument(typ: string, content: object): Promise<string>
  /** Returns the claims of a token; null unless it is ours, unchanged, not expired at `now`, and within the lifetime of tokens. */
  verify(token: string, now: Date): Promise<TokenClaims | null>
  /** Returns true if a keeper token was issued for one of the client secrets that are configured now. */
  isCurrentKeeper(epoch: string, clientSecrets: readonly string[]): boolean
}

/**
 * Opens the signer. `seed` is the Ed25519 seed; `previous` are public keys of other signers whose tokens are valid, `retired`
 * those whose documents can be verified and whose tokens are not (32 bytes each, base64url).
 */
export async function openAccessTokens(options: {
  issuer: string
  seed: string
  previous: readonly string[]
  retired: readonly string[]
}): Promise<AccessTokens> {
  const { issuer, seed } = options
  const privateKey = privateKeyOf(seed)
  const current = await publicJwk(String(createPublicKey(privateKey).export({ format: 'jwk' }).x))
  const ofTokens = [current, ...(await Promise.all(options.previous.map(publicJwk)))]
  const retired = await Promise.all(options.retired.map(publicJwk))
  const jwks = [...new Map([...ofTokens, ...retired].map((jwk) => [jwk.kid, jwk])).values()]
  const publicKeys = new Map(
    ofTokens.map((jwk) => [jwk.kid, createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' })]),
  )
  // Verified signatures by SHA-256 of the token. The state of a session is never kept.
  const verified = new LRUCache<string, TokenClaims>({ max: CACHE_MAX })

  // Not from the signing key: a token of the keeper outlives the replacement of that key, as every other.
  const epochOf = (clientSecret: string) =>
    createHmac('sha256', clientSecret).update(`keeper of ${issuer}`).digest('base64url')
  const mint = async (payload: Record<string, string>, subject: string, now: Date): Promise<Minted> => {
    const issuedAt = Math.floor(now.getTime() / 1000)
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: current.kid })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(subject)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFE_SEC)
      .sign(privateKey)
    return { token, expiresAt: new Date((issuedAt + TOKEN_LIFE_SEC) * 1000) }
  }
  const check = async (token: string, now: Date): Promise<TokenClaims | null> => {
    try {
      const keyOf = ({ kid }: { kid?: string | undefined }): KeyObject => {
        const key = publicKeys.get(kid ?? '')
        if (key === undefined) throw new Error('unknown signing key')
        return key
      }
      const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
        issuer,
        audience: issuer,
        algorithms: ['EdDSA'],
        typ: 'JWT',
        currentDate: now,
      })
      if (!isAsMinted(token, protectedHeader)) return null
      const said = claims.parse(payload)
      return hasAge(said, now) ? said : null
    } catch {
      return null
    }
  }

  return {
    jwks,
    forSession: (accountId, sessionId, now) => mint({ role: 'owner', sid: sessionId }, String(accountId), now),
    forKeeper: (clientSecret, now) => mint({ role: 'keeper', epoch: epochOf(clientSecret) }, 'keeper', now),
    signDocument: (typ, content) =>
      new CompactSign(Buffer.from(JSON.stringify(content)))
        .setProtectedHeader({ alg: 'EdDSA', typ, kid: current.kid })
        .sign(privateKey),
    verify: async (token, now) => {
      const name = sha256(token)
      const known = verified.get(name)
      if (known !== undefined) {
        if (known.exp * 1000 > now.getTime()) return known
        verified.delete(name)
        return null
      }
      const fresh = await check(token, now)
      if (fresh === null) return null
      verified.set(name, fresh)
      return fresh
    },
    isCurrentKeeper: (epoch, clientSecrets) => clientSecrets.some((secret) => epoch === epochOf(secret)),
  }
}

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

function privateKeyOf(seed: string): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, Buffer.from(seed, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  })
}

async function publicJwk(x: string): Promise<PublicJwk> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' }
}
