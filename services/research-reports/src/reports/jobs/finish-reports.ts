import { researchReports } from '@svc/contracts/research-reports'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { ATTEMPTS_MAX, generateReport, LEASE_MS, retryFailedAt } from '../generate-report.ts'
import { failReport, takeUnfinished } from '../store/reports.ts'

/** Takes over reports whose process died or lost its servers, or whose file was lost; marks those with too many attempts as failed. */
export const finishReports =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, log } = context
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const taken = await takeUnfinished(pool, now, leaseUntil, researchReports.jobs.finishReports.max)
    let done = 0
    for (const report of taken) {
      if (signal.aborted) break
      if (report.attempts - report.spared > ATTEMPTS_MAX)
        await failReport(pool, report.report_id, report.attempts, retryFailedAt(context))
      else
        await generateReport(context, report).catch((error: unknown) =>
          log.error({ err: error, report_id: report.report_id, attempt: report.attempts }, 'report not made'),
        )
      done += 1
    }
    return { done }
  }
