import { setTimeout as delay } from 'node:timers/promises'

/** Waits until one of the changes happens, at most so long. Its timer ends with it. Rejects if a change rejects first. */
export async function changeWithin(ms: number, ...changes: readonly Promise<unknown>[]): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([...changes, delay(ms, null, { signal: over.signal }).catch(() => {})])
  } finally {
    over.abort()
  }
}
