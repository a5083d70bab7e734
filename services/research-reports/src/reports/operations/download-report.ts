import { ok, refuse, type StoredFile } from '@svc/contract'
import { reportRefusals } from '@svc/contracts/research-reports/reports'
import type { researchReports } from '@svc/contracts/research-reports'
import { Outage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { readerOf } from '#research/reader.ts'
import { filenameOf } from '../rules/report.ts'
import { fileNameOf } from '../generate-report.ts'
import { reportItem } from '../report-item.ts'
import { findReport, makeAgain, type ReportRow } from '../store/reports.ts'

/** Returns the description of the file of a report that is ready. */
function fileOf(row: ReportRow): StoredFile | null {
  const { status, bytes, sha256 } = row
  if (status !== 'ready' || bytes === null || sha256 === null) return null
  return { bucket: 'reports', name: fileNameOf(row), bytes, sha256, filename: filenameOf(row) }
}

export const downloadReport: BoundHandler<Context, typeof researchReports.operations.downloadReport> =
  (context) =>
  async ({ report_id, agent_id }, call) => {
    const { pool, files } = context
    const readerId = await readerOf(context, call, agent_id)
    // The report of another account is refused like an unknown one.
    const find = async () => (await findReport(pool, readerId, report_id)) ?? refuse(reportRefusals.unknownReport)
    const row = await find()
    const file = fileOf(row)
    if (file !== null && (await files.has(file))) return ok(200, { file })
    if (row.status === 'generating') return ok(202, reportItem(row))
    await makeAgain(pool, row, call.now)
    const again = await find()
    if (again.status === 'failed') return refuse(reportRefusals.reportFailed)
    if (again.status === 'generating') return ok(202, reportItem(again))
    const made = fileOf(again)
    if (made !== null && again.attempts !== row.attempts) return ok(200, { file: made })
    // The report is of an earlier release: its inputs are in the lost file alone, which a backup may have.
    throw new Outage('files', `the file of ${report_id} is lost, and so are its inputs`)
  }
