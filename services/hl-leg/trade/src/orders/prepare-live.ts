import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { Tx } from '@svc/postgres'
import type { Principal } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import { judgeLive, type Passed } from './judge-live.ts'
import { LIFE_MS, newTrade } from './new-trade.ts'
import { judgedOf, planLive } from './plan-live.ts'
import { closesSince } from './store/sums.ts'
import { insertTrade, lockOrders, type NewTrade, type TradeOrder } from './store/trade-orders.ts'
import type { TradeRequest } from './trade-request.ts'

/** Opening orders of an account that may wait at once, and its closes in a minute. */
const OPEN_MAX = 5
const CLOSES_MAX = 20
const MINUTE_MS = 60_000

/** Runs the writes of a call in one transaction. */
export type Effect = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Plans, judges and stores a live order, which then reserves its notional in the caps. Refuses with the standard refusal
 * block; nothing is stored then. A dry run does the same and stores nothing. Returns null if the key of the request got an
 * order meanwhile.
 */
export async function prepareLive(
  context: Context,
  request: TradeRequest,
  principal: Principal,
  effect: Effect,
): Promise<TradeOrder | Omit<NewTrade, 'orderKey'> | null> {
  const planned = await planLive(context, request, principal)
  return effect(async (tx) => {
    if (!request.dryRun) await lockOrders(tx, principal.ownerId)
    const passed = await judgeLive(context, tx, planned.account, judgedOf(request, principal, planned))
    await requireRoom(context, tx, request, planned.plan.opening, passed)
    const order = await newTrade(context, tx, { request, principal, planned, passed })
    if (request.dryRun) return order
    return insertTrade(tx, { ...order, orderKey: request.orderKey })
  })
}

/** Refuses a sixth open that waits, and a twenty-first close within a minute. */
async function requireRoom(
  { clock }: Context,
  tx: Tx,
  { accountId }: TradeRequest,
  opening: boolean,
  { sums }: Passed,
): Promise<void> {
  const tooMany = (detail: string, retryAt: Date): never =>
    refuse(common.rateLimited, detail, { retry_at: retryAt.toISOString() })
  const now = clock.now()
  if (opening && sums.open >= OPEN_MAX)
    tooMany(
      `${OPEN_MAX} opening orders of your account wait: confirm or record one, or wait until one expires.`,
      sums.firstExpiresAt ?? new Date(now.getTime() + LIFE_MS),
    )
  if (opening) return
  const { count, first } = await closesSince(tx, accountId, new Date(now.getTime() - MINUTE_MS))
  if (count >= CLOSES_MAX)
    tooMany(
      `${CLOSES_MAX} closes of your account were placed within a minute.`,
      new Date((first ?? now).getTime() + MINUTE_MS),
    )
}
