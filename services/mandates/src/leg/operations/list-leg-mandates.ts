import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { legMandateView } from '../leg-mandate-view.ts'
import { legMandates } from '../store/leg-mandates.ts'

export const listLegMandates: BoundHandler<Context, typeof mandates.operations.listLegMandates> =
  (context) => async (input, call) => {
    const rows = await legMandates(context.pool, { publicIds: input.public_ids }, call.now)
    const markets = await context.catalogue.marketsAt(call.now)
    return ok(200, { mandates: rows.map((row) => legMandateView(markets, row, call.now)) })
  }
