import { createPublicKey, verify as verifySignature, type JsonWebKey } from 'node:crypto'

/** What a signature has to be. */
export interface Expected {
  /** Kind of the content, the `typ` of the header. */
  readonly typ: string
  readonly keys: readonly JsonWebKey[]
  /** The error of what does not hold. */
  readonly problem: new (message: string, options?: ErrorOptions) => Error
}

/**
 * Returns the content of a compact JWS that one of the keys signed with EdDSA. No other algorithm and no other kind of content
 * counts, so that a session or a signature without a key stands for nothing.
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
  const key = keys.find((one) => one['kid'] === said['kid'])
  if (key === undefined) throw new Problem(`the keys hold none with id ${String(said['kid'])}`)
  const publicKey = createPublicKey({ key, format: 'jwk' })
  const bytes = Buffer.from(`${header}.${payload}`)
  if (!verifySignature(null, bytes, publicKey, Buffer.from(signature, 'base64url')))
    throw new Problem('the signature is not good')
  return partOf(payload)
}
