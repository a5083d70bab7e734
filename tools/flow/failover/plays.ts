import { setTimeout as delay } from 'node:timers/promises'
import { openStage } from '#demo/chain-stage.ts'
import { firstDay } from '#demo/first-day.ts'
import { mandateDay } from '#demo/mandate/mandate-day.ts'
import { createWalk } from '#demo/walk.ts'
import { NoAnswerError, RefusalError } from '@svc/sdk'
import { registerAgent } from '../people.ts'
import type { Doubled } from './doubled.ts'

/** A play that an outage ended; its people began again. */
interface Ended {
  readonly flow: string
  readonly why: string
}

const PAUSE_MS = 2_000
/** A play that begins later after the fault ends as documented. */
const HEALED_MS = 300_000

/** How a careful client says that it was not served, or not in time. */
const OUTAGE =
  /temporarily unavailable|no answer within|the first request still runs|answered 503|the status is 503|: 503 |did not happen within|fetch failed|aborted due to timeout/

/** Returns true for what an outage does to a client that repeats what may be repeated. */
function isOutage(error: unknown): error is Error {
  if (error instanceof RefusalError) return error.status === 503 || error.code === 'idempotency_in_flight'
  if (error instanceof NoAnswerError) return true
  return error instanceof Error && OUTAGE.test(error.message)
}

/**
 * Plays an agent's first day and the life of a mandate, each again and again, until each was played to its end after `work` was
 * over. Every answer is compared with the documents. Returns what `work` returned, and the plays that an outage ended; anything else is
 * thrown.
 */
export async function playDuring<T>(
  { url, prepared }: Doubled,
  folder: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ended: readonly Ended[] }> {
  const { chain, house } = prepared
  if (chain === null) throw new Error('a mandate needs a chain')
  const ended: Ended[] = []
  let overAt = Infinity
  let isLost = false
  const flows: Readonly<Record<string, () => Promise<unknown>>> = {
    'first day': () => firstDay(createWalk(url), house),
    mandate: async () => {
      const agent = await registerAgent(url, 'trader')
      return mandateDay(openStage(chain, createWalk(url)), chain.wallets, agent, folder)
    },
  }
  const playOn = async (flow: string, play: () => Promise<unknown>) => {
    while (!isLost) {
      const sinceMs = Date.now() - overAt
      try {
        await play()
        if (Date.now() > overAt) return
      } catch (error) {
        if (!isOutage(error) || sinceMs > HEALED_MS)
          throw new Error(`${flow}, begun ${sinceMs} ms after the fault: ${String(error)}`, { cause: error })
        ended.push({ flow, why: error.message.slice(0, 160) })
      }
      await delay(PAUSE_MS)
    }
  }
  const worked = work().finally(() => (overAt = Date.now()))
  try {
    const [result] = await Promise.all([worked, ...Object.entries(flows).map(([flow, play]) => playOn(flow, play))])
    return { result, ended }
  } finally {
    isLost = true
  }
}
