import { ok, refuse } from '@svc/contract'
import { reportRefusals } from '@svc/contracts/research-reports/reports'
import type { researchReports } from '@svc/contracts/research-reports'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { readerOf } from '#research/reader.ts'
import { filenameOf } from '../rules/report.ts'
import { fileNameOf } from '../generate-report.ts'
import { reportItem } from '../report-item.ts'
import { findReport } from '../store/reports.ts'

export const downloadReport: BoundHandler<Context, typeof researchReports.operations.downloadReport> =
  (context) =>
  async ({ report_id, agent_id }, call) => {
    // The report of another account is refused like an unknown one.
    const row = await findReport(context.pool, await readerOf(context, call, agent_id), report_id)
    if (row === null) return refuse(reportRefusals.unknownReport)
    if (row.status === 'failed') return refuse(reportRefusals.reportFailed)
    if (row.bytes === null || row.sha256 === null) return ok(202, reportItem(row))
    return ok(200, {
      file: {
        bucket: 'reports',
        name: fileNameOf(row),
        bytes: row.bytes,
        sha256: row.sha256,
        filename: filenameOf(row),
      },
    })
  }
