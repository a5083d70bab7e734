import { setTimeout as delay } from 'node:timers/promises'

/**
 * Long enough for a machine that is short of cores: a liveness that fails is told at the end, and one that holds waits no
 * longer than it must. A promised time is named by the test.
 */
const LIVENESS_MS = 45_000

/**
 * Repeats `probe` until it neither throws nor returns `false`, and resolves with its result.
 * Rejects with the last failure at the time limit (default 45 s).
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = LIVENESS_MS, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      const value = await probe()
      if (value !== false) return value
      if (Date.now() >= deadline) throw new Error(`still false after ${timeoutMs} ms`)
    } catch (error) {
      if (Date.now() >= deadline) throw error
    }
    await delay(everyMs)
  }
}
