import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { stripsOf } from '../strips-of.ts'
import { unknownAgent } from '@svc/contracts/mandates/refusals'

export const readStrip: BoundHandler<Context, typeof mandates.operations.readStrip> =
  (context) => async (input, call) => {
    const [strips, posting_tier] = await Promise.all([
      stripsOf(context, [input.agent_id], call.now),
      context.agentsClient.tierOf(input.agent_id),
    ])
    const strip = strips.get(input.agent_id)
    if (strip === undefined) refuse(unknownAgent)
    return ok(200, { ...strip, posting_tier, computed_at: call.now.toISOString() })
  }
