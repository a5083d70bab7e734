import type { RefusalError } from './refusal.ts'

/** Pause before a repetition that the service gives no time for; it doubles with each try. */
const FIRST_PAUSE_MS = 250

/** How often, and how patiently, a call is repeated. */
export interface Patience {
  /** Tries of one call, the first one included. */
  readonly triesMax: number
  /** Longest pause before a repetition; a refusal that asks for a longer one is thrown. */
  readonly pauseMaxMs: number
}

/** Codes of a call that runs elsewhere: its answer can be asked for again. */
const STILL_RUNS: ReadonlySet<string> = new Set(['idempotency_in_flight'])

/**
 * Returns the pause before try `tries + 1`, or null if the failure is final. A 429 refused before any effect, so every
 * call may be repeated; after an outage or a lost answer only a `repeatable` one: a read, or a call with an
 * Idempotency-Key. `failure` is null if no answer came.
 */
export function pauseBefore(
  tries: number,
  failure: RefusalError | null,
  repeatable: boolean,
  { triesMax, pauseMaxMs }: Patience,
): number | null {
  if (tries >= triesMax) return null
  const again =
    failure === null || failure.status === 503 || STILL_RUNS.has(failure.code) ? repeatable : failure.status === 429
  if (!again) return null
  const pause = failure?.retryAfterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), pauseMaxMs)
  return pause > pauseMaxMs ? null : pause
}
