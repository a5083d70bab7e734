import { generateKeyPairSync, sign } from 'node:crypto'

/** Signs documents as identity does, with a key of its own. */
export interface DocumentSigner {
  /** Public keys, as JWKS publishes them. */
  readonly keys: readonly Readonly<Record<string, unknown>>[]
  /** While true, nothing is signed. */
  isAway: boolean
  /** Returns a compact JWS; throws while the signer is away. */
  sign(content: object): string
}

/** Returns a signer of documents of this type. */
export function documentSigner(typ: string): DocumentSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signer: DocumentSigner = {
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'EdDSA', use: 'sig' }],
    isAway: false,
    sign: (content) => {
      if (signer.isAway) throw new Error('the signer is away')
      const text = `${part({ alg: 'EdDSA', typ, kid: 'test' })}.${part(content)}`
      return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
    },
  }
  return signer
}
