/** Longest pause between polls while they fail. */
const BACK_OFF_MAX_MS = 60_000
const DAY_MS = 86_400_000

/** Pauses between polls, by how often what is read changes. */
export const every = {
  /** A mandate at work. */
  live: 12_000,
  products: 20_000,
  /** What an owner has. */
  open: 30_000,
  slow: 60_000,
  /** The Hall and the alerts. The Hall is counted every two minutes. */
  hall: 120_000,
  /** The board, which is computed every five minutes, and what changes no more often. */
  board: 300_000,
  /** What people decide: doors, markets, ways to deposit. */
  seldom: 600_000,
} as const

/**
 * Most calls of a day by one tab that nobody touches, where calls are counted by the day. A visitor has 1,000 a day with
 * everybody behind the same address; an account on Free has 100 calls of the market data.
 */
export const RESTING_CALLS = { visitor: 400, account: 24 } as const

/**
 * Returns the pause until the next poll: the usual one, doubled with each failure in a row up to a minute. Never, if the
 * service refused for a reason that time does not change.
 */
export function nextPollMs(usualMs: number, failures: number, lasting: boolean): number | false {
  if (lasting) return false
  if (failures === 0) return usualMs
  return Math.max(usualMs, Math.min(usualMs * 2 ** failures, BACK_OFF_MAX_MS))
}

/** Returns the pause of each of so many polls of a tab that nobody touches, for `callsMax` calls a day of all together. */
export const restingMs = (usualMs: number, polls: number, callsMax: number): number =>
  Math.max(usualMs, Math.ceil((DAY_MS * polls) / callsMax))

/** Returns whose allowance of a day counts a read; null if it is counted by the minute alone. */
export function countedFor(route: string, signedIn: boolean): keyof typeof RESTING_CALLS | null {
  if (!signedIn) return 'visitor'
  return /^GET \/(hub|ui|auth)\//.test(route) ? null : 'account'
}
