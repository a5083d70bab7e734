import { formatApiKey } from '@svc/contracts/api-key'
import { randomBytes } from 'node:crypto'
import { sha256 } from './domain/refresh-token.ts'

/** A new API key: the secret for the caller, its id and hash for the store. */
export function newKey(): { readonly secret: string; readonly keyId: string; readonly hash: string } {
  const secret = formatApiKey(randomBytes(32))
  return { secret, keyId: `key_${randomBytes(8).toString('hex')}`, hash: sha256(secret) }
}
