import { RecordProblem, sha256 } from './line.ts'

/** A public key of `/.well-known/jwks.json`. */
export interface PublishedKey {
  readonly kid?: string
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
}

/** A browser without Ed25519: hashes and links can be checked, the signature cannot. */
export class SignatureUnsupported extends Error {
  override readonly name = 'SignatureUnsupported'
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

function partOf(part: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)))) as Record<
      string,
      unknown
    >
  } catch {
    throw new RecordProblem('signature_unreadable')
  }
}

function signatureOf(part: string): Uint8Array<ArrayBuffer> {
  try {
    return bytesOf(part)
  } catch {
    throw new RecordProblem('signature_bad')
  }
}

/** Returns bytes as base64url without padding. */
const base64urlOf = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The only members of a header, so that none can give the others another meaning (`crit`, `jwk`, `b64`). */
const MEMBERS = ['alg', 'kid', 'typ']

/** Returns true if a header has its members alone, each once, and its text and the signature are written in one way only. */
const isAsWritten = (said: Readonly<Record<string, unknown>>, header: string, signature: string): boolean =>
  Object.keys(said).toSorted().join() === MEMBERS.join() &&
  base64urlOf(new TextEncoder().encode(JSON.stringify(said))) === header &&
  base64urlOf(signatureOf(signature)) === signature

async function importKey({ kty = '', crv = '', x = '' }: PublishedKey) {
  try {
    return await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
  } catch (error) {
    // Other errors than this one come from the key itself.
    if (error instanceof DOMException && error.name === 'NotSupportedError')
      throw new SignatureUnsupported('Ed25519 is not available here', { cause: error })
    throw new RecordProblem('signature_key')
  }
}

/** Content of a signature that holds, with the key that made it. */
export interface SignedContent {
  readonly content: Readonly<Record<string, unknown>>
  readonly key: PublishedKey
}

/**
 * Returns the content of a compact JWS that one of the keys signed with EdDSA. No other algorithm and no other kind of
 * content counts, and none that is not written as the signer writes it. Rejects with `RecordProblem`, or with
 * `SignatureUnsupported` where the browser has no Ed25519.
 */
export async function signedContent(jws: string, typ: string, keys: readonly PublishedKey[]): Promise<SignedContent> {
  const parts = jws.split('.')
  const [header = '', payload = '', signature = ''] = parts
  const said = partOf(header)
  if (parts.length !== 3 || said['alg'] !== 'EdDSA' || said['typ'] !== typ) throw new RecordProblem('signature_kind')
  const key = keys.find(({ kid }) => kid !== undefined && kid === said['kid'])
  if (key === undefined) throw new RecordProblem('signature_key')
  if (!isAsWritten(said, header, signature)) throw new RecordProblem('signature_kind')
  const publicKey = await importKey(key)
  const signed = new TextEncoder().encode(`${header}.${payload}`)
  if (!(await crypto.subtle.verify('Ed25519', publicKey, signatureOf(signature), signed)))
    throw new RecordProblem('signature_bad')
  return { content: partOf(payload), key }
}

/** Returns the thumbprint of a key (RFC 7638): SHA-256 in hexadecimal, to compare with one that was published elsewhere. */
export const fingerprintOf = ({ crv = '', kty = '', x = '' }: PublishedKey): Promise<string> =>
  sha256(JSON.stringify({ crv, kty, x }))
