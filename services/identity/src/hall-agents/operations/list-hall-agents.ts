import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { agentIdsAfter } from '../store/hall-agents.ts'

export const listHallAgents: BoundHandler<Context, typeof identity.operations.listHallAgents> =
  ({ pool }) =>
  async ({ after, limit }) =>
    ok(200, { agent_ids: await agentIdsAfter(pool, after ?? 0, limit) })
