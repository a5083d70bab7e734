const SEC = 1_000
const MIN = 60 * SEC

/** Pauses after the first, second … failure in a row; the last one repeats. */
const PAUSES_MS = [5 * SEC, 30 * SEC, 2 * MIN, 10 * MIN, 30 * MIN, 60 * MIN] as const

/** How long a webhook may accept nothing before it is turned off, and how long an item is tried. */
export const TRIED_FOR_MS = 86_400_000

/** Returns when to try again after `failures` failures in a row, at least one. */
export const nextTryAt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + (PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? PAUSES_MS[0]))

/** Whether something that began at `since` has lasted as long as it may. */
export const isOver = (since: Date, now: Date): boolean => now.getTime() - since.getTime() >= TRIED_FOR_MS
