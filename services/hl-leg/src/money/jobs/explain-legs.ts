import { hlLeg } from '@svc/contracts/hl-leg'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { legsById } from '#legs/store/legs.ts'
import { explainLeg } from '../explain-leg.ts'
import { legsToExplain, storeExplanation } from '../store/explanations.ts'

/**
 * Recomputes the value of accounts with leg money from their payments and trades. A difference withholds the mark until a later
 * run explains it; it is compared twice, because money may arrive between two answers of the venue.
 */
export const explainLegs =
  (context: Context): Job =>
  async (signal) => {
    const { pool, log } = context
    let [done, unexplained] = [0, 0]
    for (const leg of await legsById(pool, await legsToExplain(pool, hlLeg.jobs.explainLegs.max))) {
      if (signal.aborted) break
      try {
        const first = await explainLeg(context, leg)
        const one = first?.holds === false ? await explainLeg(context, leg) : first
        if (one === null) continue
        await storeExplanation(pool, one)
        done += 1
        if (one.holds) continue
        unexplained += 1
        const { public_id, value, expected } = one
        const difference = String(value - expected)
        log.error({ alarm: 'leg_unexplained', public_id, difference }, 'the value of the account is not explained')
      } catch (error) {
        if (!isOutage(error)) throw error
        log.warn({ err: error, public_id: leg.publicId }, 'the account was not explained')
      }
    }
    return { done, unexplained }
  }
