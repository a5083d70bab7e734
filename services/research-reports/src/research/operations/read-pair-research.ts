import { ok } from '@svc/contract'
import type { researchReports } from '@svc/contracts/research-reports'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { researchOfTarget } from '../history-of-target.ts'
import { readerOf } from '../reader.ts'

export const readPairResearch: BoundHandler<Context, typeof researchReports.operations.readPairResearch> =
  (context) =>
  async ({ exchange, symbol, days, agent_id }, call) => {
    return ok(200, await researchOfTarget(context, await readerOf(context, call, agent_id), { exchange, symbol }, days))
  }
