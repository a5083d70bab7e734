import { createHash } from 'node:crypto'
import { formatApiKey } from '@svc/contracts/api-key'

/** Accounts that take turns, so that no daily allowance ends during a run. */
const accounts = 512

/** API keys of the benchmark, in the real form. */
export const keys: readonly string[] = Array.from({ length: accounts }, (_, index) =>
  formatApiKey(createHash('sha256').update(`bench ${index}`).digest()),
)

export const accountOfHash: ReadonlyMap<string, number> = new Map(
  keys.map((key, index) => [createHash('sha256').update(key).digest('hex'), index + 1]),
)
