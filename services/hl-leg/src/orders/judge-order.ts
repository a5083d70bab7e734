import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import { RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import type { Guard } from './rules/guards.ts'
import type { OrderRequest } from './order-request.ts'

/** What mandates judges of an order. */
interface Judged {
  readonly opening: boolean
  readonly notionalUsdc: string
  readonly lossUsdc: string
  readonly worthLowUsdc: string | null
  readonly guards: readonly Guard[]
}

/** Asks mandates for its judgement, which reserves, holds or records the order. Rejects with an outage. */
export async function judgeOrder({ mandates }: Pick<Context, 'mandates'>, request: OrderRequest, judged: Judged) {
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

/** Reads the mandate for a caller, who acts on it by that. Refuses with `unknown_mandate`. */
export async function readMandate(
  { mandates }: Pick<Context, 'mandates'>,
  { publicId, accountId, as }: Pick<OrderRequest, 'publicId' | 'accountId' | 'as'>,
) {
  try {
    return (await mandates.readLegMandate({ public_id: publicId, account_id: accountId, as })).mandate
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
