import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { stopCall } from '../steering-calls.ts'

export const prepareStop: BoundHandler<Context, typeof mandates.operations.prepareStop> =
  (context) => async (input, call) => {
    const { mandate, vault } = await attachedMandate(context, input.public_id, call)
    return ok(200, { public_id: mandate.publicId, ...stopCall(context, mandate, vault, call.now) })
  }
