import { ok } from '@svc/contract'
import type { researchReports } from '@svc/contracts/research-reports'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { researchOfTarget } from '../history-of-target.ts'
import { readerOf } from '../reader.ts'

export const readResearch: BoundHandler<Context, typeof researchReports.operations.readResearch> =
  (context) =>
  async ({ exchange, symbol: underscored, days, agent_id }, call) => {
    const symbol = underscored.replace('_', '/')
    return ok(200, await researchOfTarget(context, await readerOf(context, call, agent_id), { exchange, symbol }, days))
  }
