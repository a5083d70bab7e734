/** Runs that a worker may miss, and seconds that a run may take, before it counts as not running. */
const RUNS_MISSED_MAX = 3
const RUN_MS = 60_000

/** A time in which something did not run; milliseconds since the epoch. */
export interface Gap {
  readonly fromMs: number
  readonly toMs: number
}

/** What is known of the live runs of a worker. */
export interface LiveRuns {
  readonly everySec: number
  readonly firstSeenMs: number
  /** Last live run; null before the first. */
  readonly lastLiveMs: number | null
}

/** Returns the time without a run between the last live run and `untilMs`; null if the runs are near enough. */
export function gapUntil({ everySec, firstSeenMs, lastLiveMs }: LiveRuns, untilMs: number): Gap | null {
  const fromMs = lastLiveMs ?? firstSeenMs
  return untilMs - fromMs > everySec * 1000 * RUNS_MISSED_MAX + RUN_MS ? { fromMs, toMs: untilMs } : null
}

/** Returns the percentage of the time from `sinceMs` to `nowMs` that gaps cover together; null without any time. */
export function unavailablePct(gaps: readonly Gap[], sinceMs: number, nowMs: number): number | null {
  if (nowMs <= sinceMs) return null
  let covered = 0
  let reached = sinceMs
  for (const { fromMs, toMs } of gaps.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const from = Math.max(fromMs, reached)
    const to = Math.min(toMs, nowMs)
    if (to > from) covered += to - from
    reached = Math.max(reached, to)
  }
  return Math.round((covered / (nowMs - sinceMs)) * 100_000) / 1_000
}
