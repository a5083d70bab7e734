import { setTimeout as delay } from 'node:timers/promises'

/**
 * Repeats `probe` until it neither throws nor returns `false`, and resolves with its result.
 * Rejects with the last failure at the time limit (default 20,000 ms).
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
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
