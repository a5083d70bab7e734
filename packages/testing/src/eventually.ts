import { setTimeout as delay } from 'node:timers/promises'

/** Only what hangs takes this long. It is less than the time limit of a test, so that the last failure is reported. */
const HANG_MS = 600_000

/** Pauses without `everyMs`: a tenth of the time that has passed, within these bounds. A long wait costs few attempts. */
const PAUSE_MS = { least: 20, most: 250 }

interface Patience {
  /** Time limit; tests leave it out, because it measures the machine and not the product. */
  readonly timeoutMs?: number
  /** Pause between two attempts. */
  readonly everyMs?: number
}

/**
 * Repeats `probe` until it neither throws nor returns `false`, and resolves with its result.
 * Rejects with the last failure at the time limit, which only detects a hang (default 10 minutes).
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = HANG_MS, everyMs }: Patience = {},
): Promise<T> {
  const began = Date.now()
  const deadline = began + timeoutMs
  for (let tries = 1; ; tries += 1) {
    const isLast = () => Date.now() >= deadline
    try {
      const value = await probe()
      if (value !== false) return value
      if (isLast()) throw new Error(`still false after ${tries} attempts`)
    } catch (error) {
      if (isLast()) throw error
    }
    await delay(everyMs ?? Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, (Date.now() - began) / 10)))
  }
}
