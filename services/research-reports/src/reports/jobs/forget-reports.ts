import { researchReports } from '@svc/contracts/research-reports'
import { REPORT_KEPT_MS } from '@svc/contracts/research-reports/reports'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { fileNameOf } from '../generate-report.ts'
import { deleteReport, reportsBefore } from '../store/reports.ts'

/** Deletes old reports: the files of all attempts first, so that no file outlives its row. */
export const forgetReports =
  ({ pool, clock, files }: Context): Job =>
  async (signal) => {
    let done = 0
    const until = new Date(clock.now().getTime() - REPORT_KEPT_MS)
    for (const report of await reportsBefore(pool, until, researchReports.jobs.forgetReports.max)) {
      if (signal.aborted) break
      for (let attempts = 1; attempts <= report.attempts; attempts += 1)
        await files.remove(fileNameOf({ ...report, attempts }))
      await deleteReport(pool, report.report_id)
      done += 1
    }
    return { done }
  }
