import type { Secrets } from './plan.ts'

/** Entries that anybody may read: public keys, certificates, hashes, names. */
const PUBLIC = /^NATS_USER_|\.crt$|^users\.acl$|^username$/
/** A shorter value would be found in other words. */
const SHORTEST = 12

/** Returns every text of an installation's Secrets that no log, metric or span may contain. */
export function secretTexts(secrets: Secrets): readonly string[] {
  const texts = Object.values(secrets).flatMap((entries) =>
    Object.entries(entries).flatMap(([name, value]) => (PUBLIC.test(name) ? [] : partsOf(value.trim()))),
  )
  return [...new Set(texts)].filter((text) => text.length >= SHORTEST)
}

function partsOf(value: string): readonly string[] {
  if (value.startsWith('{')) return Object.values(JSON.parse(value) as Record<string, string>)
  // Of a private key, its lines: a log would break it as it is broken here, or escape the breaks.
  if (value.startsWith('-----BEGIN')) return value.split('\n').filter((line) => !line.startsWith('-----'))
  if (!/^[a-z]+:\/\//.test(value)) return [value]
  const { password } = new URL(value)
  return [password, decodeURIComponent(password)]
}
