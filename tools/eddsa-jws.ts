import { createPublicKey, verify as verifySignature, type JsonWebKey, type KeyObject } from 'node:crypto'

/** What a signature has to be. */
export interface Expected {
  /** Kind of the content, the `typ` of the header. */
  readonly typ: string
  readonly keys: readonly JsonWebKey[]
  /** The error of what does not hold. */
  readonly problem: new (message: string, options?: ErrorOptions) => Error
}

/** The only members of a header, so that none can give the others another meaning (`crit`, `jwk`, `b64`). */
const MEMBERS = ['alg', 'kid', 'typ']

/**
 * Returns the content of a compact JWS that one of the keys signed with EdDSA. No other algorithm and no other kind of content
 * counts, so that a session or a signature without a key stands for nothing. It must be written as the signer writes it: only
 * the members of its header, each once, and base64url without anything else, so that one content has one text.
 */
export function signedContent(
  jws: string,
  { typ, keys, problem: Problem }: Expected,
): Readonly<Record<string, unknown>> {
  const partOf = (part: string): Readonly<Record<string, unknown>> => {
    try {
      return Object(JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))) as Record<string, unknown>
    } catch (error) {
      throw new Problem('the signature cannot be read', { cause: error })
    }
  }
  const parts = jws.split('.')
  const [header = '', payload = '', signature = ''] = parts
  const said = partOf(header)
  if (parts.length !== 3 || said['alg'] !== 'EdDSA' || said['typ'] !== typ)
    throw new Problem('the signature is of another kind')
  const kid = said['kid']
  const key = keys.find((one) => typeof kid === 'string' && one['kid'] === kid)
  if (key === undefined) throw new Problem(`the keys hold none with id ${String(kid)}`)
  if (!isAsWritten(said, parts)) throw new Problem('the signature is not written as the signer writes it')
  const bytes = Buffer.from(`${header}.${payload}`)
  if (!verifySignature(null, bytes, publicKeyOf(key, Problem), Buffer.from(signature, 'base64url')))
    throw new Problem('the signature is not good')
  return partOf(payload)
}

const isAsWritten = (said: Readonly<Record<string, unknown>>, parts: readonly string[]): boolean =>
  Object.keys(said).toSorted().join() === MEMBERS.join() &&
  Buffer.from(JSON.stringify(said)).toString('base64url') === parts[0] &&
  parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)

function publicKeyOf({ kty, crv, x, kid }: JsonWebKey, Problem: Expected['problem']): KeyObject {
  const problem = `the key ${String(kid)} is no Ed25519 key`
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw new Problem(problem)
  try {
    return createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  } catch (error) {
    throw new Problem(problem, { cause: error })
  }
}
