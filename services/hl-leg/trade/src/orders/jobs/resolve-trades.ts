import { hlTrade } from '@svc/contracts/hl-trade'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { findUnrecorded } from '../find-posted.ts'
import { followTrade } from '../follow-trade.ts'
import { dueTrades, expireTrades, postponeTrades, type TradeOrder } from '../store/trade-orders.ts'

/** Pause before an order that was sent is looked at again. */
const AGAIN_MS = 2_000
/** An order that may be posted is looked for again so long after its expiry, and then each minute; sooner after a failure. */
const EXPIRED_MS = 5_000
const WALLET_AGAIN_MS = 60_000
const WALLET_FAILED_MS = 20_000

/**
 * Goes on with orders that calls left behind: sends stored bytes again or looks for them, reads the executions of wallets
 * whose browser may have posted an order, and ends what nobody confirmed.
 */
export const resolveTrades =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    let done = await expireTrades(pool, clock.now())
    const due = await dueTrades(pool, clock.now(), hlTrade.jobs.resolveTrades.max)
    for (const order of due.filter(({ state }) => state === 'signed')) {
      if (signal.aborted) return { done }
      const followed = await followTrade(context, order, { first: false, steps: 1 })
      if (followed.resolvedAt === null) await postponeTrades(pool, [order.id], after(context, AGAIN_MS))
      else done += 1
    }
    const posted = Map.groupBy(
      due.filter(({ state }) => state === 'offered'),
      ({ account }) => account,
    )
    for (const orders of posted.values()) {
      if (signal.aborted) return { done }
      done += await lookFor(context, orders)
    }
    return { done }
  }

const after = ({ clock }: Context, ms: number) => new Date(clock.now().getTime() + ms)

function nextLook(context: Context, { expiresAt }: TradeOrder): Date {
  const expired = new Date(expiresAt.getTime() + EXPIRED_MS)
  return expired > context.clock.now() ? expired : after(context, WALLET_AGAIN_MS)
}

/** Looks for orders of one wallet; those that are not certain are looked for again later. Returns how many were found. */
async function lookFor(context: Context, orders: readonly TradeOrder[]): Promise<number> {
  try {
    const found = await findUnrecorded(context, orders)
    const certain = new Set(found.map(({ id }) => id))
    for (const order of orders)
      if (!certain.has(order.id)) await postponeTrades(context.pool, [order.id], nextLook(context, order))
    return found.length
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error }, 'the executions of a wallet are not known yet')
    await postponeTrades(
      context.pool,
      orders.map(({ id }) => id),
      after(context, WALLET_FAILED_MS),
    )
    return 0
  }
}
