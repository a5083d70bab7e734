import { mining } from '@svc/contracts/mining'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { lookAtEvidence } from '../look-at-evidence.ts'
import { dueEvidence, putFinding } from '../store/evidence.ts'

/** Pauses before an unreachable page is tried again. */
const RETRY_MS = [60_000, 900_000, 14_400_000] as const

/** Fetches due evidence concurrently and stores the findings. Tries an unreachable page again, at most three times. */
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
        // The budget or the process ended: that says nothing about the page.
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
