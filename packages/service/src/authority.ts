import { readFileSync } from 'node:fs'
import { SettingError } from '@svc/contract'

/** Returns the certificates of SVC_CA_FILE, null if it is not set. Throws `SettingError` if the file cannot be read. */
export function readAuthority(file: string | null): string | null {
  if (file === null) return null
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingError(`SVC_CA_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Returns the TLS options of a Redis client: for rediss://, the server's certificate is verified by these certificates. */
export const redisTls = (url: string, authority: string | null): { readonly tls?: { readonly ca: string } } =>
  authority !== null && url.startsWith('rediss://') ? { tls: { ca: authority } } : {}
