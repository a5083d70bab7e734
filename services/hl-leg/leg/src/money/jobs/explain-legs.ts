import { hlLeg } from '@svc/contracts/hl-leg'
import { countAlarm, isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { legsById } from '#legs/store/legs.ts'
import { explainNow } from '../explain-leg.ts'
import { legsToExplain } from '../store/explanations.ts'

/** An account is compared with its history this often. */
const EVERY_MS = 300_000

/**
 * Recomputes the value of accounts with leg money from their payments and trades. A difference withholds the mark until a later
 * run explains it.
 */
export const explainLegs =
  (context: Context): Job =>
  async (signal) => {
    const { pool, log, clock } = context
    let [done, unexplained] = [0, 0]
    const before = new Date(clock.now().getTime() - EVERY_MS)
    for (const leg of await legsById(pool, await legsToExplain(pool, before, hlLeg.jobs.explainLegs.max))) {
      if (signal.aborted) break
      try {
        const one = await explainNow(context, 'worth', leg)
        if (one === null) continue
        done += 1
        if (one.holds) continue
        unexplained += 1
        const { public_id, value, expected } = one
        const difference = String(value - expected)
        countAlarm('leg_unexplained', 'hl-leg')
        log.error({ alarm: 'leg_unexplained', public_id, difference }, 'the value of the account is not explained')
      } catch (error) {
        if (!isOutage(error)) throw error
        log.warn({ err: error, public_id: leg.publicId }, 'the account was not explained')
      }
    }
    return { done, unexplained }
  }
