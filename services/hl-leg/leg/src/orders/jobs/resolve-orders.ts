import { hlLeg } from '@svc/contracts/hl-leg'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { followOrder } from '../follow-order.ts'
import { goOnWithMoves } from '../move-collateral.ts'
import { abandonOrder, dueOrders, postpone, type LegOrder } from '../store/orders.ts'
import { tellMandates } from '../tell-mandates.ts'

/** Pause before an order that is not certain yet is looked at again. */
const AGAIN_MS = 2_000

/** Goes on with orders and moves that calls left behind, whatever ended those calls. */
export const resolveOrders =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    const { max } = hlLeg.jobs.resolveOrders
    const orders = await dueOrders(pool, clock.now(), max)
    let done = 0
    for (const order of orders) {
      if (signal.aborted) break
      const again = new Date(clock.now().getTime() + AGAIN_MS)
      if (await goOn(context, order)) done += 1
      else await postpone(pool, order.id, again)
    }
    if (!signal.aborted) done += (await goOnWithMoves(context, max)).ended
    return { done }
  }

/** Goes on with one order; returns whether it is resolved. */
async function goOn(context: Context, order: LegOrder): Promise<boolean> {
  const { pool, clock } = context
  if (order.state === 'judging') {
    const ended = await pool.transaction((tx) => abandonOrder(tx, order, clock.now()))
    if (ended !== null) await tellMandates(context, ended)
    return true
  }
  if (order.resolvedAt !== null) {
    await tellMandates(context, order)
    return true
  }
  const followed = await followOrder(context, order, { first: false, steps: 1 })
  if (followed.resolvedAt === null) return false
  await tellMandates(context, followed)
  return true
}
