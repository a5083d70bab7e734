import { hlLeg } from '@svc/contracts/hl-leg'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { goOnWithMoves } from '../move-collateral.ts'
import { orderAdapter } from '../order-adapter.ts'
import { legOrders } from '../send-order.ts'
import { dueOrders } from '../store/orders.ts'

/** Pause before an order that is not certain yet is looked at again, or its end is reported again. */
const AGAIN_MS = 2_000

/** Goes on with orders and moves that calls left behind, whatever ended those calls. */
export const resolveOrders =
  (context: Context): Job =>
  async (signal) => {
    const { max } = hlLeg.jobs.resolveOrders
    const outbound = legOrders(context, AGAIN_MS)
    await outbound.sweep()
    let done = 0
    for (const due of [dueOrders.closes, dueOrders.opens])
      done += await outbound.resumeEach(orderAdapter(context, null), { ...due, max }, signal)
    if (!signal.aborted) done += (await goOnWithMoves(context, max)).ended
    return { done }
  }
