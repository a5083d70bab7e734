import { Outbound } from '@svc/outbound'
import { noteContradiction } from '@svc/venue/note-contradiction'
import type { Context } from '#context.ts'
import { ownOrderKind, type TradeOrder } from './store/trade-orders.ts'
import { tradeAdapter, type Driving } from './trade-adapter.ts'

/** Longer than a step takes: a look-up and a copy. */
export const CLAIM_MS = 12_000

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

/** Drives an order for a call in at most `steps` steps, and returns it as it is then. Rejects with the outage of the last step. */
export const driveTrade = (
  context: Context,
  id: number,
  driving: Driving,
  { steps, pauseMs }: { readonly steps: number; readonly pauseMs: number },
): Promise<TradeOrder> => ownOrders(context, pauseMs).follow(id, tradeAdapter(context, driving), steps)
