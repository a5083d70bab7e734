import { gunzipSync, gzipSync } from 'node:zlib'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { failReport, finishReport, type ReportRow } from './store/reports.ts'

/** Lease of an attempt, in milliseconds; longer than any report takes. */
export const LEASE_MS = 60_000
/** Attempts after which a report is marked failed. */
export const ATTEMPTS_MAX = 3

export const packInputs = (json: string): Buffer => gzipSync(json, { level: 6 })

/** Returns the name of the file of an attempt. Each attempt has another name, so that a late attempt changes nothing. */
export const fileNameOf = (report: { readonly report_id: string; readonly attempts: number }): string =>
  `${report.report_id}-${report.attempts}.pdf`

/**
 * Makes the file of a report, stores it and marks the report ready. The process may die at any point: the file appears
 * whole or not at all, and a report becomes ready only after its file is stored. Returns null if another attempt took over.
 * Marks a report that cannot be made as failed; after an outage the next attempt makes it.
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
