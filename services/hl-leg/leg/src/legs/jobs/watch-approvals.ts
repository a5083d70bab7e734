import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { emitLeg } from '../emit-leg.ts'
import { endOrphans } from '../end-orphans.ts'
import { SURVEY_SEC } from '../rules/capacity.ts'
import { lapsedProposals, legsToSurvey, moveLeg } from '../store/legs.ts'
import { forgetOffers } from '../store/offers.ts'
import { surveyLeg } from '../survey-leg.ts'

/** Legs that one tick surveys; mandates answers as many at once. */
const LEGS_MAX = 100
/** A proposal that nobody asked for in this time ends. */
const PROPOSAL_MS = 24 * 3_600_000

/**
 * Surveys live legs that were not surveyed for half an hour, or whose key the venue refused: a key that was revoked,
 * replaced or has expired, other keys, and an account whose mode changed. Ends proposals after a day.
 */
export const watchApprovals =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, venue, mandates } = context
    const now = clock.now()
    const lapsed = await endProposals(context, now)
    await forgetOffers(pool, new Date(now.getTime() - PROPOSAL_MS))
    const orphaned = await endOrphans(context, now)
    const due = await legsToSurvey(pool, venue.network, new Date(now.getTime() - SURVEY_SEC * 1000), LEGS_MAX)
    const listed =
      due.length === 0 ? [] : (await mandates.listLegMandates({ public_ids: due.map((leg) => leg.publicId) })).mandates
    const ends = new Map(listed.map(({ public_id, ends_at }) => [public_id, new Date(ends_at)]))
    let changed = lapsed + orphaned
    let failed = 0
    for (const leg of due) {
      if (signal.aborted) break
      try {
        if (await surveyLeg(context, 'worth', leg, ends.get(leg.publicId) ?? now)) changed += 1
      } catch (error) {
        if (!isOutage(error)) throw error
        failed += 1
        context.log.warn({ public_id: leg.publicId, err: error }, 'an account could not be surveyed; tried again')
      }
    }
    return { done: changed, surveyed: due.length - failed, failed }
  }

async function endProposals({ pool, venue }: Context, now: Date): Promise<number> {
  return pool.transaction(async (tx) => {
    const lapsed = await lapsedProposals(tx, venue.network, new Date(now.getTime() - PROPOSAL_MS), LEGS_MAX)
    for (const { publicId } of lapsed) {
      const moved = await moveLeg(tx, publicId, { state: 'released', reason: 'proposal_lapsed' }, now)
      await emitLeg(tx, moved, 'proposal_lapsed', now)
    }
    return lapsed.length
  })
}
