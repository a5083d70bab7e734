import { hlTrade } from '@svc/contracts/hl-trade'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { ownOrders } from '../drive-trade.ts'
import { findUnrecorded } from '../find-posted.ts'
import { dueTrades } from '../store/trade-orders.ts'
import { tradeAdapter, type Driving } from '../trade-adapter.ts'

/** Pause before an order that was sent is looked at again. */
const AGAIN_MS = 2_000
/** Pause before the executions of a wallet are read again. */
const WALLET_AGAIN_MS = 60_000

/**
 * Goes on with orders that calls left behind: sends stored bytes again or looks for them, reads the executions of wallets
 * whose browser may have posted an order, and ends what nobody confirmed.
 */
export const resolveTrades =
  (context: Context): Job =>
  async (signal) => {
    const sent = ownOrders(context, AGAIN_MS)
    await sent.sweep()
    const { closes, opens, offered } = dueTrades(context.clock.now())
    // Each in its own order of time, so that no order waits for ever behind one whose account the venue does not answer for.
    const work: readonly Work[] = [
      { outbound: sent, due: closes, driving: {} },
      { outbound: sent, due: opens, driving: {} },
      { outbound: ownOrders(context, WALLET_AGAIN_MS), due: offered, driving: { find: findUnrecorded(context) } },
    ]
    let done = 0
    for (const one of work) if (!signal.aborted) done += await goOn(context, one)
    return { done }
  }

/** Orders that are due for the same reason. */
interface Work {
  readonly outbound: ReturnType<typeof ownOrders>
  readonly due: ReturnType<typeof dueTrades>['closes']
  readonly driving: Driving
}

/** Works on due orders until an outage; returns how many ended. */
async function goOn(context: Context, { outbound, due, driving }: Work): Promise<number> {
  const { max } = hlTrade.jobs.resolveTrades
  try {
    return (await outbound.resume(tradeAdapter(context, driving), { ...due, max })).ended
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error }, 'what became of an order is not known yet')
    return 0
  }
}
