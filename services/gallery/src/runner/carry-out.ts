import { Outbound } from '@svc/outbound'
import type { Context } from '#context.ts'
import type { Follow } from '#gaps/store/follows.ts'
import { orderAdapter } from './order-adapter.ts'
import { followOrderKind, type StoredOrder } from './store/follow-orders.ts'
import { runnerTransaction } from './store-verdict.ts'

/** As long as Postgres takes to let another process lead: the orders of a killed one are then taken over. */
export const CLAIM_MS = 5_000
/** The pace of the job. */
const PAUSE_MS = 5_000

/** Returns the machine that drives orders of the house runner. */
export const ordersOutside = (context: Context) =>
  new Outbound({
    kind: followOrderKind,
    transaction: (work) => runnerTransaction(context, work),
    clock: context.clock,
    log: context.log,
    claimMs: CLAIM_MS,
    pauseMs: PAUSE_MS,
  })

/**
 * Carries out a stored order and returns it once it is certain what became of it; null: the next run goes on. Without `send`, in a dry
 * run, and without a key it waits until its time has passed: then nothing is sent, and hl-leg is asked.
 */
export async function carryOut(
  context: Context,
  follow: Follow,
  order: StoredOrder,
  send: boolean,
): Promise<StoredOrder | null> {
  if (order.outcome !== null) return order
  const isLate = context.clock.now().getTime() > order.notAfter.getTime()
  if (!isLate && (!send || context.publicApi === null)) return null
  const driven = await ordersOutside(context).drive(order.id, orderAdapter(context, follow), 1)
  return driven === null || driven.outcome === null ? null : driven
}
