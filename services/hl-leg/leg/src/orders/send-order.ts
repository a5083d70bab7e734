import { Outbound } from '@svc/outbound'
import { isOutage } from '@svc/service'
import { noteContradiction } from '@svc/venue/note-contradiction'
import type { Context } from '#context.ts'
import { barOf } from '#legs/store/open-bars.ts'
import { CLAIM_MS, orderAdapter, type Sending } from './order-adapter.ts'
import { findOrder, legOrderKind, type LegOrder } from './store/orders.ts'

/** Requests to the venue that a call spends on finding out what became of an order, and the pause between two of them. */
const STEPS = 3
const PAUSE_MS = 250

/** Returns the machine that drives orders of legs, with the pause before it works on one again. */
export const legOrders = (context: Pick<Context, 'pool' | 'clock' | 'log'>, pauseMs = PAUSE_MS) =>
  new Outbound({
    kind: legOrderKind,
    transaction: (work) => context.pool.transaction(work),
    clock: context.clock,
    log: context.log,
    claimMs: CLAIM_MS,
    pauseMs,
    onContradiction: (id, count) => noteContradiction(context, { kind: 'leg_order', id, count }),
  })

/**
 * Signs an order that was let through, sends it and follows it. Returns it as it is then; still `judging` if another call has taken it
 * over. An order whose time has passed, and an open that was barred meanwhile, end unsigned. Rejects with an outage before it is signed.
 */
export async function sendOrder(context: Context, sending: Omit<Sending, 'isBarred'>): Promise<LegOrder> {
  const { order } = sending
  const sent = await follow(context, order, { ...sending, isBarred: false })
  if (sent.state !== 'judging' || !order.opening || (await barOf(context.pool, order.publicId)) === null) return sent
  return follow(context, order, { ...sending, isBarred: true })
}

/** Goes on with an order that another call has signed or ended: looks after it, and reports its end until that is acknowledged. */
export const followKnown = (context: Context, order: LegOrder): Promise<LegOrder> => follow(context, order, null)

/** Drives an order for a call. What an outage leaves uncertain after its bytes are stored is left to the job. */
async function follow(context: Context, order: LegOrder, sending: Sending | null): Promise<LegOrder> {
  try {
    return await legOrders(context).follow(order.id, orderAdapter(context, sending), STEPS)
  } catch (error) {
    const now = isOutage(error) ? await findOrder(context.pool, order.publicId, order.orderKey) : null
    if (now === null || now.state === 'judging') throw error
    return now
  }
}
