import type { TargetHistory } from '@svc/contracts/market-data/research'
import { HOUR_MS } from './target-hours.ts'

const DAY_MS = 24 * HOUR_MS
/** A closing may be this much older than the time that is asked for. */
const TOLERANCE_MS = 2 * HOUR_MS
/** Spans of the changes that a history states. */
export const CHANGE_SPANS_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const

/** A closing price and when its interval ended, milliseconds. */
export interface Closing {
  readonly end: number
  readonly close: number
}

/** Returns the newest closing at or before a time, at most two hours before it; null without one. */
export function closingAt(closings: readonly Closing[], at: number): number | null {
  let best: Closing | null = null
  for (const one of closings)
    if (one.end <= at && one.end > at - TOLERANCE_MS && (best === null || one.end > best.end)) best = one
  return best?.close ?? null
}

/** Returns the change from one price to another, percent; null if either is unknown. */
const changePct = (before: number | null, now: number): number | null =>
  before === null || before <= 0 ? null : (now / before - 1) * 100

/**
 * Returns the last price with its changes. Prices of a moment are read from scans and observations (`exact`); where there
 * is none, as seven days ago, the closing of an hour that ended at most two hours before it is used.
 */
export function priceOf(
  last: { readonly price: number; readonly at: string } | null,
  exact: { readonly hour: number | null; readonly day: number | null; readonly week: number | null },
  closings: readonly Closing[],
): TargetHistory['price'] {
  if (last === null) return null
  const at = Date.parse(last.at)
  const change = (span: keyof typeof CHANGE_SPANS_MS) => {
    const before = exact[span] ?? (span === 'hour' ? null : closingAt(closings, at - CHANGE_SPANS_MS[span]))
    return changePct(before, last.price)
  }
  return {
    last: last.price,
    at: last.at,
    change_1h_pct: change('hour'),
    change_24h_pct: change('day'),
    change_7d_pct: change('week'),
  }
}
