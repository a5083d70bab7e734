import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { legMandateView } from '../leg-mandate-view.ts'
import { legPartyOf } from '../leg-party.ts'
import { noteAgentAct } from '../note-agent-acts.ts'
import { legMandates } from '../store/leg-mandates.ts'

export const readLegMandate: BoundHandler<Context, typeof mandates.operations.readLegMandate> =
  (context) => async (input, call) => {
    const { pool, catalogue } = context
    const { public_id: publicId, account_id: accountId, as } = input
    const [[row], markets] = await Promise.all([
      legMandates(pool, { publicId, party: legPartyOf(input) }, call.now),
      catalogue.marketsAt(call.now),
      as === 'agent' ? noteAgentAct(pool, publicId, accountId, call.now) : null,
    ])
    if (row === undefined) refuse(unknownMandate)
    return ok(200, { mandate: legMandateView(markets, row, call.now) })
  }
