import { Outbound } from '@svc/outbound'
import { noteContradiction } from '@svc/venue/note-contradiction'
import type { Context } from '#context.ts'
import { ownOrderKind, readTrade, type TradeOrder } from './store/trade-orders.ts'
import { tradeAdapter, type Driving } from './trade-adapter.ts'

/** Longer than a step takes: a look-up and a copy. */
export const CLAIM_MS = 12_000
/** A call waits so often, and so long, for another process that works on its order. */
const WAITS = 8
const WAIT_MS = 250

/** Returns the machine that drives orders of own accounts, with the pause before it works on one again. */
export const ownOrders = (context: Context, pauseMs: number) =>
  new Outbound({
    kind: ownOrderKind,
    transaction: (work) => context.pool.transaction(work),
    clock: context.clock,
    log: context.log,
    claimMs: CLAIM_MS,
    pauseMs,
    onContradiction: (id, count) => noteContradiction(context, { kind: 'own_order', id, count }),
  })

/**
 * Drives an order for a call in at most `steps` steps, and returns it as it is then. Another process that works on it is waited for,
 * for a moment. Rejects with the outage of the last step.
 */
export async function driveTrade(
  context: Context,
  id: number,
  driving: Driving,
  { steps, pauseMs }: { readonly steps: number; readonly pauseMs: number },
): Promise<TradeOrder> {
  const outbound = ownOrders(context, pauseMs)
  for (let wait = 0; wait < WAITS; wait += 1) {
    if (wait > 0) await new Promise<void>((resolve) => context.clock.after(WAIT_MS, resolve))
    if ((await outbound.drive(id, tradeAdapter(context, driving), steps)) !== null) break
    // Nothing is left to do, or another process works on it.
    const order = await readTrade(context.pool, id)
    if (order.resolvedAt !== null) return order
  }
  return readTrade(context.pool, id)
}
