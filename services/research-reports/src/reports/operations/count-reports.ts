import { ok } from '@svc/contract'
import type { researchReports } from '@svc/contracts/research-reports'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { utcMonth } from '../rules/report.ts'
import { reportsSince } from '../store/reports.ts'

export const countReports: BoundHandler<Context, typeof researchReports.operations.countReports> =
  ({ pool }) =>
  async ({ account_id }, call) =>
    ok(200, { used: await reportsSince(pool, account_id, utcMonth(call.now).start) })
