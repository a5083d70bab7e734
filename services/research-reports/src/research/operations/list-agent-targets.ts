import { ok } from '@svc/contract'
import type { researchReports } from '@svc/contracts/research-reports'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { readerOf } from '../reader.ts'

export const listAgentTargets: BoundHandler<Context, typeof researchReports.operations.listAgentTargets> =
  (context) =>
  async ({ agent_id }, call) =>
    ok(200, await context.readTargets(await readerOf(context, call, agent_id)))
