const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far a time of a venue may be from now. A time outside is unknown: its unit, or the clock that made it, is another. */
interface Window {
  readonly behindMs: number
  readonly aheadMs: number
}

export const TIMES = {
  /** Of a quote, a book or an answer. Quiet pairs state the time of their last trade. */
  present: { behindMs: 7 * DAY_MS, aheadMs: HOUR_MS },
  /** Of trades, candles, listings and announcements, which may be years old. */
  past: { behindMs: 20 * 365 * DAY_MS, aheadMs: HOUR_MS },
  /** Of the ends that a venue announces. */
  planned: { behindMs: 20 * 365 * DAY_MS, aheadMs: 2 * 365 * DAY_MS },
} as const satisfies Readonly<Record<string, Window>>

/** Returns a time in milliseconds if it is within the window around `now`; else null, whatever it is. */
export function timeIn({ behindMs, aheadMs }: Window, value: unknown, now: number): number | null {
  return typeof value === 'number' && value > 0 && value >= now - behindMs && value <= now + aheadMs ? value : null
}

/** Share of the times of an answer that may be ahead of the venue's clock without moving it. */
const AHEAD_SHARE = 0.05

/**
 * Returns the venue's clock by the times of its quotes: the newest of them after a twentieth, at least one of several, is
 * left out. Most quotes are older than the clock, as those of quiet pairs; a few may be ahead of it. Null without a time.
 */
export function clockOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((one) => one !== null).toSorted((a, b) => a - b)
  return known[Math.floor((known.length - 1) * (1 - AHEAD_SHARE))] ?? null
}
