import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { barOf } from '#legs/store/open-bars.ts'
import { followOrder } from './follow-order.ts'
import { hasExpired, type OrderRequest } from './order-request.ts'
import { signOrder } from './sign-order.ts'
import { abandonOrder, findOrder, postpone, type LegOrder, type Signed } from './store/orders.ts'
import { isTold, tellMandates } from './tell-mandates.ts'

/** Requests to the venue that a call spends on finding out what became of an order. */
const STEPS = 3

/** An order that was let through, with what its signature needs. */
export interface Passed {
  readonly leg: Leg
  readonly order: LegOrder
  readonly asset: number
  readonly request: OrderRequest
  readonly judged: Pick<Signed, 'judgement' | 'termsHash' | 'usage'>
}

/**
 * Signs an order that was let through, sends it and follows it. Returns it as it is then; still `judging` if another call has taken it
 * over. An order whose time has passed, and an open that was barred meanwhile, end unsigned.
 */
export async function sendOrder(context: Context, passed: Passed): Promise<LegOrder> {
  const { pool, clock } = context
  const { order, request, judged } = passed
  if (hasExpired(request, clock.now())) return abandon(context, order)
  const signed = await signOrder(context, passed, judged)
  if (signed !== null) return followKnown(context, signed, true)
  const isBarred = order.opening && (await barOf(pool, order.publicId)) !== null
  return isBarred ? abandon(context, order) : asItIs(context, order)
}

async function abandon(context: Context, order: LegOrder): Promise<LegOrder> {
  const ended = await context.pool.transaction((tx) => abandonOrder(tx, order, context.clock.now()))
  return ended === null ? asItIs(context, order) : tellMandates(context, ended)
}

const asItIs = async ({ pool }: Context, order: LegOrder): Promise<LegOrder> =>
  (await findOrder(pool, order.publicId, order.orderKey)) ?? order

/** Follows a signed order, and has mandates informed of its end. `first`: its bytes were stored just now. */
export async function followKnown(context: Context, order: LegOrder, first = false): Promise<LegOrder> {
  const followed = order.resolvedAt === null ? await followOrder(context, order, { first, steps: STEPS }) : order
  if (followed.resolvedAt === null) {
    await postpone(context.pool, followed.id, context.clock.now())
    return followed
  }
  return isTold(followed) ? followed : tellMandates(context, followed)
}
