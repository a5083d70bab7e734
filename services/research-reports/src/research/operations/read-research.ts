import { ok } from '@svc/contract'
import type { researchReports } from '@svc/contracts/research-reports'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { researchOfTarget } from '../history-of-target.ts'

export const readResearch: BoundHandler<Context, typeof researchReports.operations.readResearch> =
  (context) =>
  async ({ exchange, symbol: underscored, days }, call) => {
    const symbol = underscored.replace('_', '/')
    return ok(200, await researchOfTarget(context, callerOf(call).account_id, { exchange, symbol }, days))
  }
