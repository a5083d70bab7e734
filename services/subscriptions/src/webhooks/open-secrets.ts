import type { SecretBox } from './secret-box.ts'

interface Sealed {
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_ends_at: Date | null
}

/** Returns the secrets that sign for a webhook at a time, the newest one first; null if the newest one cannot be read. */
export function signingSecrets(box: SecretBox, id: string, sealed: Sealed, at: Date): readonly string[] | null {
  const newest = box.open(id, sealed.secret)
  if (newest === null) return null
  const ends = sealed.old_secret_ends_at
  const old = sealed.old_secret === null || ends === null || ends <= at ? null : box.open(id, sealed.old_secret)
  return old === null ? [newest] : [newest, old]
}
