import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { forgetDraftCounts } from '../store/draft-counts.ts'
import { deleteUnclaimed } from '../store/drafts.ts'

/** Deletes drafts that nobody claimed in time, and draft counts of past days. */
export const forgetDrafts =
  ({ pool, clock }: Context): Job =>
  async () => {
    const now = clock.now()
    const done = await pool.transaction(async (tx) => {
      await forgetDraftCounts(tx, now)
      return deleteUnclaimed(tx, now, mandates.jobs.forgetDrafts.max)
    })
    return { done }
  }
