import { ok, refuse } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import { viewAgents, visibleAgent } from '../agent-view.ts'
import type { Context } from '#context.ts'
import { listKeys } from '#keys/store/keys.ts'

export const readAgent: BoundHandler<Context, typeof identity.operations.readAgent> =
  ({ pool }) =>
  async ({ agent_id }, call) => {
    await visibleAgent(pool, agent_id, callerOf(call))
    const [[view], keys] = await Promise.all([
      viewAgents(pool, [agent_id], call.now),
      listKeys(pool, agent_id, call.now),
    ])
    return ok(200, { ...(view ?? refuse(notYourAgent)), keys: [...keys] })
  }
