import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from './errors.ts'

/** A start ended because something that it needs was not there in time. The message is one sentence for the operator. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}

const DEFAULT_MS = 60_000
const PAUSE_MS = 250
/** What clients of NATS, of RPC nodes and of `fetch` call a server that is late or not up yet. */
const LATE = new Set(['RequestError', 'HttpRequestError', 'JetStreamNotEnabled'])

/** Returns the part of an error that says why; an error about lateness may be wrapped several times. */
function lateness(error: unknown): string | null {
  if (isOutage(error)) return reasonOf(error)
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (LATE.has(cause.name) || /timeout/i.test(cause.message)) return reasonOf(cause)
  return null
}

/** True for an error which says that a server was late or not up yet. */
export const isLate = (error: unknown): error is Error => lateness(error) !== null

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').slice(0, 200) || error.name : String(error)

/**
 * Repeats `attempt` until it succeeds, while it fails because something is late or not up yet. Rejects with `StartProblem`,
 * which names `what`, when that lasts longer than `timeoutMs`; with any other error at once. An attempt that was cut
 * short must be safe to repeat.
 */
export async function patiently<T>(
  what: string,
  attempt: () => Promise<T>,
  timeoutMs: number = DEFAULT_MS,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const reason = lateness(error)
      if (reason === null) throw error
      if (performance.now() >= deadline)
        throw new StartProblem(
          `Waited ${timeoutMs / 1000} s for ${what}, which is not ready (${reason}): look whether it runs and how busy the machine is, then start again.`,
          { cause: error },
        )
    }
    await delay(PAUSE_MS)
  }
}
