/** A result with its interval, basis points; null for unknown. */
export interface Result {
  readonly worth_change_bps: number | null
  readonly worth_change_low_bps: number | null
  readonly worth_change_high_bps: number | null
}

/** Common scale of the results of a list, basis points. Zero is always on it. */
export interface Scale {
  readonly low: number
  readonly high: number
}

/** Widest side of a scale: beyond it a result is cut with an arrow, so that one does not flatten all others. */
const SIDE_MAX = 10_000
const SIDE_MIN = 100

/** Returns the scale on which all results of a list stand. */
export function scaleOf(results: readonly Result[]): Scale {
  const known = results.flatMap((one) =>
    [one.worth_change_bps, one.worth_change_low_bps, one.worth_change_high_bps].filter((bps) => bps !== null),
  )
  return {
    low: -Math.min(SIDE_MAX, Math.max(SIDE_MIN, -Math.min(0, ...known))),
    high: Math.min(SIDE_MAX, Math.max(SIDE_MIN, ...known, 0)),
  }
}

/** Where a result stands on its scale, as shares of its width. */
export interface Place {
  readonly zero: number
  readonly at: number
  /** Ends of the interval; null without one. */
  readonly span: { readonly from: number; readonly to: number } | null
  /** True where an end lies beyond the scale. */
  readonly cutLow: boolean
  readonly cutHigh: boolean
}

/** Returns where a result stands; null if it is unknown. */
export function placeOf(result: Result, scale: Scale): Place | null {
  const { worth_change_bps: value, worth_change_low_bps: low, worth_change_high_bps: high } = result
  if (value === null) return null
  const share = (bps: number) => (Math.min(scale.high, Math.max(scale.low, bps)) - scale.low) / (scale.high - scale.low)
  return {
    zero: share(0),
    at: share(value),
    span: low === null || high === null ? null : { from: share(low), to: share(high) },
    cutLow: Math.min(value, low ?? value) < scale.low,
    cutHigh: Math.max(value, high ?? value) > scale.high,
  }
}
