import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { agentOf } from '../agent-of.ts'
import type { Context } from '../context.ts'
import { activityOf } from '../store/transfers.ts'

export const listActivity: BoundHandler<Context, typeof mandates.operations.listActivity> =
  (context) => async (input, call) => {
    await agentOf(context, call, input.agent_id)
    // A moment later than now, so that what has just happened is there too.
    const before = new Date(input.before ?? call.now.getTime() + 1)
    const items = await activityOf(context.pool, input.agent_id, before, input.limit)
    return ok(200, {
      items: [...items],
      next_before: items.length === input.limit ? (items.at(-1)?.at ?? null) : null,
    })
  }
