import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { legMandateView } from '../leg-mandate-view.ts'
import { legPartyOf } from '../leg-party.ts'
import { noteAgentAct } from '../store/agent-acts.ts'
import { legMandates } from '../store/leg-mandates.ts'

export const readLegMandate: BoundHandler<Context, typeof mandates.operations.readLegMandate> =
  (context) => async (input, call) => {
    const [row] = await legMandates(context.pool, { publicId: input.public_id, party: legPartyOf(input) }, call.now)
    if (row === undefined) refuse(unknownMandate)
    if (input.as === 'agent') await noteAgentAct(context.pool, row.mandate.id, call.now)
    return ok(200, { mandate: legMandateView(await context.catalogue.marketsAt(call.now), row, call.now) })
  }
