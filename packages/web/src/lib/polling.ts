/** Longest pause between polls while they fail. */
const BACK_OFF_MAX_MS = 60_000

/** Pauses between polls, by what is read. */
export const every = { live: 12_000, open: 30_000, slow: 60_000, products: 20_000 } as const

/**
 * Returns the pause until the next poll: the usual one, doubled with each failure in a row up to a minute. Never, if the
 * service refused for a reason that time does not change.
 */
export function nextPollMs(usualMs: number, failures: number, lasting: boolean): number | false {
  if (lasting) return false
  if (failures === 0) return usualMs
  return Math.max(usualMs, Math.min(usualMs * 2 ** failures, BACK_OFF_MAX_MS))
}
