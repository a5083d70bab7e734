import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import { RemoteRefusal } from '@svc/service'
import { LRUCache } from 'lru-cache'
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

/** Who mandates let act on a mandate within the last minute. */
const known = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })
type Party = Pick<OrderRequest, 'publicId' | 'accountId' | 'as'>
const nameOf = ({ publicId, accountId, as }: Party) => `${as} ${accountId} ${publicId}`

/** Whether mandates let a caller act on a mandate a moment ago: for anybody else nothing is asked of the venue yet. */
export const wasLet = (party: Party): boolean => known.has(nameOf(party))

/** Reads the mandate for a caller, who acts on it by that. Refuses with `unknown_mandate`. */
export async function readMandate({ mandates }: Pick<Context, 'mandates'>, party: Party) {
  const { publicId, accountId, as } = party
  try {
    const { mandate } = await mandates.readLegMandate({ public_id: publicId, account_id: accountId, as })
    known.set(nameOf(party), true)
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
