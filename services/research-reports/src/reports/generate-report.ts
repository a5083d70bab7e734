import { gunzipSync, gzipSync } from 'node:zlib'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { failReport, finishReport, spareAttempt, type ReportRow, type UnfinishedReport } from './store/reports.ts'

/** Lease of an attempt, in milliseconds; longer than any report takes. */
export const LEASE_MS = 60_000
/** Attempts after which a report is marked failed; attempts that an outage ended do not count. */
export const ATTEMPTS_MAX = 3
/** After an outage the pause grows by a lease with each attempt, up to this many: a year of them stays countable. */
const PAUSE_LEASES_MAX = 20
/** Pause after which a lost report that could not be made is tried again when it is downloaded. */
export const RETRY_FAILED_MS = 3_600_000

export const packInputs = (json: string): Buffer => gzipSync(json, { level: 6 })

/** Returns the name of the file of an attempt. Each attempt has another name, so that a late attempt changes nothing. */
export const fileNameOf = (report: { readonly report_id: string; readonly attempts: number }): string =>
  `${report.report_id}-${report.attempts}.pdf`

/** Returns the time from which a lost report that fails now may be tried again. */
export const retryFailedAt = ({ clock }: Pick<Context, 'clock'>): Date =>
  new Date(clock.now().getTime() + RETRY_FAILED_MS)

/**
 * Makes the file of a report, stores it and marks the report ready. The process may die at any point: the file appears
 * whole or not at all, and a report becomes ready only after its file is stored. Returns null if another attempt took over.
 * Marks a report that cannot be made as failed; after an outage the next attempt makes it, however often.
 */
export async function generateReport(context: Context, report: UnfinishedReport): Promise<ReportRow | null> {
  const { report_id, attempts, spared } = report
  try {
    const { pdf, pages } = await context.renderer.draw(gunzipSync(report.inputs).toString('utf8'))
    const { bytes, sha256 } = await context.files.put(fileNameOf(report), pdf)
    // Inputs of an earlier layout are drawn in the present one.
    if (report.sha256 !== null && report.sha256 !== sha256)
      context.log.warn(
        { report_id, lost: report.sha256, made: sha256 },
        'a lost report was made again with other bytes',
      )
    return await finishReport(context.pool, report_id, attempts, { pages, bytes, sha256 })
  } catch (error) {
    if (!isOutage(error)) await failReport(context.pool, report_id, attempts, retryFailedAt(context))
    else {
      const pause = LEASE_MS * Math.min(spared + 1, PAUSE_LEASES_MAX)
      const nextAt = new Date(context.clock.now().getTime() + pause)
      // If Postgres is away too, the attempt counts like one whose process died.
      await spareAttempt(context.pool, report_id, attempts, nextAt).catch(() => {})
    }
    throw error
  }
}
