import { ok, refuse } from '@svc/contract'
import { reportRefusals } from '@svc/contracts/research-reports/reports'
import type { researchReports } from '@svc/contracts/research-reports'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { utcMonth } from '../rules/report.ts'
import { reportAllowance } from '../report-allowance.ts'
import { reportItem } from '../report-item.ts'
import { findReport, reportsSince } from '../store/reports.ts'

export const readReport: BoundHandler<Context, typeof researchReports.operations.readReport> =
  ({ pool }) =>
  async ({ report_id }, call) => {
    const caller = callerOf(call)
    // The report of another account is refused like an unknown one.
    const row = await findReport(pool, caller.account_id, report_id)
    if (row === null) return refuse(reportRefusals.unknownReport)
    if (row.status === 'failed') return refuse(reportRefusals.reportFailed)
    const used = await reportsSince(pool, caller.account_id, utcMonth(call.now).start)
    const body = { ok: true as const, ...reportItem(row), allowance: reportAllowance(caller.tier, used, call.now) }
    return row.status === 'ready' ? ok(200, body) : ok(202, body)
  }
