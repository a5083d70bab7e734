import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { Call } from '@svc/service'
import type { Context } from '#context.ts'
import { ownerOf } from './owner-of.ts'
import { KeyTaken, placePaper } from './place-paper.ts'
import { prepareLive, type Effect } from './prepare-live.ts'
import { tradeByKey, type NewTrade, type TradeOrder } from './store/trade-orders.ts'
import type { TradeRequest } from './trade-request.ts'

/** What a request led to: an order, stored now or by an earlier call of its key, or the order that a dry run found. */
export type Preparation =
  | { readonly kind: 'stored'; readonly order: TradeOrder; readonly replayed: boolean }
  | { readonly kind: 'dry'; readonly order: Omit<NewTrade, 'orderKey'> }

const effectOf =
  (call: Call): Effect =>
  async (work) => {
    const { body } = await call.effect(async (tx) => ({ status: 200, body: await work(tx) }))
    return body
  }

/**
 * Fills a paper order, or prepares a live one. One key of an account is one order: a repetition gets the order that its key
 * has, and the same key with another body is refused. Refuses with the standard refusal block; nothing is stored then.
 */
export async function prepareTrade(context: Context, request: TradeRequest, call: Call): Promise<Preparation> {
  const known = await orderOfKey(context, request)
  if (known !== null) return { kind: 'stored', order: known, replayed: true }
  const principal = await ownerOf(context, call)
  const place = request.mode === 'paper' ? placePaper : prepareLive
  const effect: Effect = request.dryRun ? (work) => context.pool.transaction(work) : effectOf(call)
  const placed = await place(context, request, principal, effect).catch((error: unknown) => {
    if (error instanceof KeyTaken) return null
    throw error
  })
  if (placed === null) {
    const other = await orderOfKey(context, request)
    return other === null ? refuse(common.idempotencyInFlight) : { kind: 'stored', order: other, replayed: true }
  }
  return 'id' in placed ? { kind: 'stored', order: placed, replayed: false } : { kind: 'dry', order: placed }
}

/** Returns the order that a request names by its key. Refuses a key that is bound to another body. */
export async function orderOfKey(
  { pool }: Pick<Context, 'pool'>,
  { accountId, orderKey, hash }: Pick<TradeRequest, 'accountId' | 'orderKey' | 'hash'>,
): Promise<TradeOrder | null> {
  const known = orderKey === null ? null : await tradeByKey(pool, accountId, orderKey)
  if (known !== null && known.requestHash !== hash) refuse(common.idempotencyMismatch)
  return known
}
