import { gunzipSync, gzipSync } from 'node:zlib'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { failReport, finishReport, type ReportRow } from './store/reports.ts'

/** How long an attempt has a report to itself; longer than any report takes. */
export const LEASE_MS = 60_000
/** Attempts, after which a report is given up. */
export const ATTEMPTS_MAX = 3

export const packInputs = (json: string): Buffer => gzipSync(json, { level: 6 })

/** Name of the file that an attempt at a report stores. Each attempt has its own, so that a late one changes nothing. */
export const fileNameOf = (report: { readonly report_id: string; readonly attempts: number }): string =>
  `${report.report_id}-${report.attempts}.pdf`

/**
 * Makes the file of a report, stores it and marks the report ready. A process may die at any point of it: the file
 * appears whole or not at all, and only a report whose file is stored becomes ready. Null when another attempt took
 * over. A report that cannot be made is marked failed; an outage leaves it for the next attempt.
 */
export async function generateReport(
  context: Context,
  report: { readonly report_id: string; readonly attempts: number; readonly inputs: Buffer },
): Promise<ReportRow | null> {
  const { report_id, attempts } = report
  try {
    const { pdf, pages } = await context.renderer.draw(gunzipSync(report.inputs).toString('utf8'))
    const { bytes, sha256 } = await context.files.put(fileNameOf(report), pdf)
    return await finishReport(context.pool, report_id, attempts, { pages, bytes, sha256 })
  } catch (error) {
    if (!isOutage(error) || attempts >= ATTEMPTS_MAX) await failReport(context.pool, report_id, attempts)
    throw error
  }
}
