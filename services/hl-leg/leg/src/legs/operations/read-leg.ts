import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { legViewOf } from '../leg-view.ts'
import { mandateOfCaller, requireOn } from '../require-leg.ts'
import { readLeg as read } from '../store/legs.ts'

export const readLeg: BoundHandler<Context, typeof hlLeg.operations.readLeg> = (context) => async (input, call) => {
  requireOn(context)
  const mandate = await mandateOfCaller(context, input.public_id, call)
  return ok(200, await legViewOf(context, context.pool, mandate, await read(context.pool, input.public_id)))
}
