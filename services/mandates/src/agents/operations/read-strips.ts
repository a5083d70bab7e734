import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { stripsOf } from '../strips-of.ts'

export const readStrips: BoundHandler<Context, typeof mandates.operations.readStrips> =
  (context) => async (input, call) => {
    const asked = [...new Set(input.ids.split(',').map(Number))]
    const strips = await stripsOf(context, asked, call.now)
    return ok(200, {
      items: asked.flatMap((id) => strips.get(id) ?? []),
      unknown_ids: asked.filter((id) => !strips.has(id)),
      computed_at: call.now.toISOString(),
    })
  }
