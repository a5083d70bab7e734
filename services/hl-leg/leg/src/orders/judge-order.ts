import { refuse, RefusalError } from '@svc/contract'
import { common } from '@svc/contracts'
import { mandateRefuses } from '@svc/contracts/mandates/approvals'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import { RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import type { Guard } from './rules/guards.ts'
import type { OrderRequest } from './order-request.ts'
import type { Planned } from './claim-order.ts'
import { dropOrder, type LegOrder } from './store/orders.ts'

/** What mandates judges of an order. */
interface Judged {
  readonly opening: boolean
  readonly notionalUsdc: string
  readonly lossUsdc: string
  readonly worthLowUsdc: string | null
  readonly guards: readonly Guard[]
}

/** Asks mandates for its judgement, which reserves, holds or records the order. Rejects with an outage. */
async function judgeOrder({ mandates }: Pick<Context, 'mandates'>, request: OrderRequest, judged: Judged) {
  try {
    return await mandates.judgeLegOrder({
      public_id: request.publicId,
      order_key: request.orderKey,
      account_id: request.accountId,
      as: request.as,
      market: request.market,
      side: request.side,
      opening: judged.opening,
      notional_usdc: judged.notionalUsdc,
      worth_low_usdc: judged.worthLowUsdc,
      loss_usdc: judged.lossUsdc,
      request: {
        market: request.market,
        side: request.side,
        amount_usdc: request.amountUsdc,
        size: request.size,
        reduce_only: request.reduceOnly,
        max_slippage: request.maxSlippage,
      },
      guards: judged.guards.map((guard) => ({ ...guard })),
      dry_run: request.dryRun,
    })
  } catch (error) {
    throw passedOn(error)
  }
}

/**
 * Has a planned order judged. `row` is that of the order, `taken` the one that a former call left. A refusal reserved nothing, so the row
 * goes; of a former call mandates may hold a reservation, as after an outage. Then the row stays, and the job ends both.
 */
export async function judgePlan(
  context: Pick<Context, 'mandates' | 'pool'>,
  request: OrderRequest,
  { plan, guards, worthLowUsdc }: Planned,
  { row, taken }: { readonly row: LegOrder | null; readonly taken: LegOrder | null },
) {
  const { opening, notionalUsdc, lossUsdc } = plan
  try {
    return await judgeOrder(context, request, { opening, notionalUsdc, lossUsdc, worthLowUsdc, guards })
  } catch (error) {
    if (error instanceof RefusalError && taken === null && row !== null) await dropOrder(context.pool, row)
    throw error
  }
}

/** Refuses an order of a market that the venue does not have: the mandate may have a reason of its own to refuse it. */
export async function refuseUnknownMarket(
  context: Pick<Context, 'mandates' | 'pool'>,
  request: OrderRequest,
  taken: LegOrder | null,
): Promise<never> {
  const fix = 'Choose a market of GET /hub/markets: the venue does not have this one.'
  const guards = [{ code: 'venue_rule', limit: null, attempted: request.market, fix }] as const
  const notionalUsdc = request.amountUsdc ?? '0'
  const judged = { opening: true, notionalUsdc, lossUsdc: '0', worthLowUsdc: null, guards }
  const { judgement } = await judgeOrder(context, request, judged)
  if (taken !== null) await dropOrder(context.pool, taken)
  return refuse(mandateRefuses, judgement.fix ?? fix, { refusal: judgement })
}

type Party = Pick<OrderRequest, 'publicId' | 'accountId' | 'as'>

/** Reads the mandate for a caller, who acts on it by that. Refuses with `unknown_mandate`. */
export async function readMandate({ mandates }: Pick<Context, 'mandates'>, party: Party) {
  const { publicId, accountId, as } = party
  try {
    const { mandate } = await mandates.readLegMandate({ public_id: publicId, account_id: accountId, as })
    return mandate
  } catch (error) {
    throw passedOn(error)
  }
}

/** Answers the refusals of mandates that the caller is to see as our own. */
function passedOn(error: unknown): unknown {
  if (!(error instanceof RemoteRefusal)) return error
  const { code, detail, ...members } = error.body
  if (code === unknownMandate.code) refuse(unknownMandate, detail)
  if (code === common.rateLimited.code) refuse(common.rateLimited, detail, members)
  return error
}
