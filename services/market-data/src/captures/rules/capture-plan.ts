/** Why a capture is made. */
export type CaptureCause = 'schedule' | 'volume' | 'spread'

/** A target that may be captured. Null is unknown. */
export interface CaptureCandidate {
  /** Captures per UTC day. */
  readonly per_day: number
  readonly scheduled_today: number
  readonly triggered_today: number
  /** Start of the newest capture, milliseconds. */
  readonly last_scheduled: number | null
  readonly last_any: number | null
  /** Newest scan, and medians of the hour before it. */
  readonly volume_usd: number | null
  readonly volume_median: number | null
  readonly spread_bps: number | null
  readonly spread_median: number | null
}

const DAY_MS = 86_400_000
const CAPTURE_MS = 60_000
const VOLUME_SPIKE = 5
const SPREAD_JUMP = 3
/** Pause between triggered captures, so that one event does not use up the captures of the day. */
const TRIGGER_PAUSE_MS = 15 * 60_000

/**
 * Returns why a capture begins now; null if none begins. Half of the day's captures, rounded up, are spread evenly; the rest
 * begin when volume or spread jumps against its hour. Missed slots are not caught up.
 */
export function captureCause(candidate: CaptureCandidate, now: number): CaptureCause | null {
  const { per_day, last_any } = candidate
  if (last_any !== null && now - last_any < CAPTURE_MS) return null
  const scheduled = Math.ceil(per_day / 2)
  if (scheduled > 0 && candidate.scheduled_today < scheduled) {
    const slot = DAY_MS / scheduled
    const dayStart = Math.floor(now / DAY_MS) * DAY_MS
    const slotStart = dayStart + Math.floor((now - dayStart) / slot) * slot
    if (candidate.last_scheduled === null || candidate.last_scheduled < slotStart) return 'schedule'
  }
  if (candidate.triggered_today >= per_day - scheduled) return null
  if (last_any !== null && now - last_any < TRIGGER_PAUSE_MS) return null
  if (jumped(candidate.volume_usd, candidate.volume_median, VOLUME_SPIKE)) return 'volume'
  return jumped(candidate.spread_bps, candidate.spread_median, SPREAD_JUMP) ? 'spread' : null
}

const jumped = (now: number | null, usual: number | null, times: number) =>
  now !== null && usual !== null && usual > 0 && now >= times * usual
