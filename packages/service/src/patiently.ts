import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from './errors.ts'

/** A start failed because a dependency was not ready in time. The message is one sentence for the operator. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}

const DEFAULT_MS = 60_000
const PAUSE_MS = 250
/** Names of the errors of NATS, RPC and `fetch` clients for a server that is late or not up yet. */
const LATE = new Set(['RequestError', 'HttpRequestError', 'JetStreamNotEnabled'])
/** Nodes of NATS that have not found each other yet have no peers for copies of a stream. */
const LATE_WORDS = /timeout|no suitable peers/i

/** Returns the reason in an error about lateness, which may be wrapped several times; null for other errors. */
function lateness(error: unknown): string | null {
  if (isOutage(error)) return reasonOf(error)
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (LATE.has(cause.name) || LATE_WORDS.test(cause.message)) return reasonOf(cause)
  return null
}

/** Returns true for an error about a server that is late or not up yet. */
export const isLate = (error: unknown): error is Error => lateness(error) !== null

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').slice(0, 200) || error.name : String(error)

/**
 * Repeats `attempt` while it fails because a dependency is late or not up yet. Rejects with `StartProblem`, which
 * contains `what`, if that takes longer than `timeoutMs`, and at once with any other error. An interrupted attempt must
 * be safe to repeat.
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
          `Waited ${timeoutMs / 1000} s for ${what}, which is not ready (${reason}): check that it runs and that the machine is not overloaded, then start again.`,
          { cause: error },
        )
    }
    await delay(PAUSE_MS)
  }
}
