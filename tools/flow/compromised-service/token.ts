import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns an admin's access token signed with a value as Ed25519 seed; null if the value cannot be a seed. */
export function forgedToken(issuer: string, seed: string, accountId: number, session: string): string | null {
  const bytes = Buffer.from(seed, 'base64url')
  if (bytes.length !== 32) return null
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, bytes]), format: 'der', type: 'pkcs8' })
  const x = String(createPublicKey(key).export({ format: 'jwk' }).x)
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    role: 'owner',
    sid: session,
    sub: String(accountId),
    iss: issuer,
    aud: issuer,
    iat: now,
    exp: now + 900,
  }
  const input = `${part({ alg: 'EdDSA', typ: 'JWT', kid })}.${part(claims)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}
