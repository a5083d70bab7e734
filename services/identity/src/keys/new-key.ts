import { formatApiKey } from '@svc/contracts/api-key'
import { createHash, randomBytes } from 'node:crypto'

/** Makes an API key: the secret for the caller, its id and its SHA-256 in hex for the store. */
export function newKey(): { readonly secret: string; readonly keyId: string; readonly hash: string } {
  const secret = formatApiKey(randomBytes(32))
  return {
    secret,
    keyId: `key_${randomBytes(8).toString('hex')}`,
    hash: createHash('sha256').update(secret).digest('hex'),
  }
}
