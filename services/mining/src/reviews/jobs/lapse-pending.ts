import { mining } from '@svc/contracts/mining'
import { emit } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { daysAfter, LAPSE_DAYS } from '../rules/review.ts'
import { lapse } from '#submissions/store/submissions.ts'

const REASON = `Lapsed: nobody reviewed it within ${LAPSE_DAYS} days. It does not count as a rejection; submit it again.`

/** Lapses entries that nobody reviewed in time, so that their fields can be submitted again. */
export const lapsePending =
  ({ pool, clock }: Context): Job =>
  async () => {
    const lapsed = await pool.transaction(async (tx) => {
      const rows = await lapse(tx, daysAfter(clock.now(), -LAPSE_DAYS), REASON, mining.jobs.lapsePending.max)
      for (const { id, account_id, token_id, field_name } of rows) {
        await emit(tx, mining.events.submissionRejected, {
          submission_id: id,
          account_id,
          token_id,
          field_name,
          reason: REASON,
          lapsed: true,
        })
      }
      return rows.length
    })
    return { done: lapsed }
  }
