/** Milliseconds from the first to the last moment that a caller asks for. */
export interface Window {
  readonly fromMs: number
  readonly toMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Completes the window of a request: without a start the day before the end, without an end now. Null if it ends before it starts. */
export function windowOf(nowMs: number, fromMs: number | null, toMs: number | null): Window | null {
  const end = Math.min(toMs ?? nowMs, nowMs)
  const start = fromMs ?? end - DAY_MS
  return start > (toMs ?? nowMs) ? null : { fromMs: start, toMs: Math.max(start, end) }
}

/**
 * Widens a window to whole hours, at most `hoursMax` of them from its start, so that requests of the same hours are the same
 * question. Funding is stamped a few milliseconds after the hour, so that an hour belongs to the row at its start.
 */
export function wholeHours({ fromMs, toMs }: Window, hoursMax: number): Window & { readonly hours: number } {
  const first = Math.max(0, Math.floor(fromMs / HOUR_MS))
  const last = Math.min(Math.floor(toMs / HOUR_MS), first + hoursMax - 1)
  return { fromMs: first * HOUR_MS, toMs: (last + 1) * HOUR_MS - 1, hours: last - first + 1 }
}
