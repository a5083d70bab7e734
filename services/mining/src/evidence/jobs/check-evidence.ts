import { mining } from '@svc/contracts/mining'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { lookAtEvidence } from '../look-at-evidence.ts'
import { dueEvidence, putFinding } from '../store/evidence.ts'

/** Pauses before an unreachable page is tried again. */
const RETRY_MS = [60_000, 900_000, 14_400_000] as const

/** Fetches due evidence side by side and stores what was seen. A page that cannot be reached is tried again, then left. */
export const checkEvidence =
  ({ pool, clock, fetchPolicy }: Context): Job =>
  async (signal) => {
    const due = await dueEvidence(pool, clock.now(), mining.jobs.checkEvidence.max)
    await Promise.all(
      due.map(async ({ submission_id, attempts, evidence_url, field_value }) => {
        const finding = await lookAtEvidence(
          { url: evidence_url, value: field_value },
          fetchPolicy,
          () => clock.now(),
          signal,
        )
        // Cut short by the budget or the end of the process: nothing was learnt about the page.
        if (signal.aborted) return
        const retryMs = finding.status === null ? RETRY_MS[attempts] : undefined
        await putFinding(
          pool,
          submission_id,
          finding,
          retryMs === undefined ? null : new Date(clock.now().getTime() + retryMs),
        )
      }),
    )
    return { done: due.length, ...(due.length === mining.jobs.checkEvidence.max ? { nextAt: clock.now() } : {}) }
  }
