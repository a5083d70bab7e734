import { hlLeg } from '@svc/contracts/hl-leg'
import { isOutage, type Job } from '@svc/service'
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
      done += await goOn(context, outbound, { ...due, max }, signal)
    if (!signal.aborted) done += (await goOnWithMoves(context, max)).ended
    return { done }
  }

/** Works on due orders; one for which the venue does not answer holds up none of the others. Returns how many ended. */
async function goOn(
  context: Context,
  outbound: ReturnType<typeof legOrders>,
  selection: Parameters<typeof outbound.resume>[1],
  signal: AbortSignal,
): Promise<number> {
  for (let outages = 0; outages < selection.max && !signal.aborted; outages += 1)
    try {
      return (await outbound.resume(orderAdapter(context, null), selection)).ended
    } catch (error) {
      if (!isOutage(error)) throw error
      context.log.warn({ err: error }, 'what became of an order is not known yet')
    }
  return 0
}
