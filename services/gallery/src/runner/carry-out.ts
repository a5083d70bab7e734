import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import type { Follow } from '#gaps/store/follows.ts'
import { captureForFollow } from '#reads/capture-for-follow.ts'
import { lateOutcome, outcomeOf, type OrderOutcome } from './rules/order-outcome.ts'
import { UNPAID } from './rules/order-verdict.ts'
import { noteCode, storeOutcome, type StoredOrder } from './store/follow-orders.ts'

/** An order that was sent in its time is at hl-leg so long afterwards, or never. */
const LATE_MS = 30_000
/** After so long without word the verdict no longer waits for hl-leg. */
const GIVE_UP_MS = 86_400_000

/**
 * Carries out a stored order and returns it once it is certain what became of it; null: the next run goes on. Within its time
 * the same bytes are sent under the same key, after the owner has paid for the signal; afterwards nothing is sent, and hl-leg
 * is asked. `send` is false in a dry run and without a key.
 */
export async function carryOut(
  context: Context,
  follow: Follow,
  order: StoredOrder,
  send: boolean,
): Promise<StoredOrder | null> {
  if (order.outcome !== null) return order
  const { pool, clock } = context
  const late = clock.now().getTime() - order.notAfter.getTime()
  const found =
    late > 0 ? await outcomeLater(context, follow, order, late) : send ? await sendOrder(context, follow, order) : null
  return found === null ? null : storeOutcome(pool, order, found, clock.now())
}

async function sendOrder(context: Context, follow: Follow, order: StoredOrder): Promise<OrderOutcome | null> {
  const { publicApi, pool } = context
  if (publicApi === null) return null
  if (order.n === 1 && !(await isPaid(context, follow, order.seq)))
    return { outcome: 'refused', code: UNPAID, size: null, price: null }
  const answer = await publicApi.order(follow.mandateId, order.key, order.body)
  if (answer === null) return null
  const found = outcomeOf(answer)
  if (found.outcome !== null) return found
  await noteCode(pool, order, found.code)
  return null
}

async function isPaid(
  context: Context,
  { ownerId, mandateId, listingId, vaultId }: Follow,
  seq: number,
): Promise<boolean> {
  return (await captureForFollow(context, { ownerId, mandateId, listingId, vaultId, seq })) !== UNPAID
}

async function outcomeLater(
  { ask }: Context,
  { mandateId }: Follow,
  { key, code }: StoredOrder,
  lateMs: number,
): Promise<OrderOutcome | null> {
  if (lateMs <= LATE_MS) return null
  try {
    const { order } = await ask.leg.readFollowOrder({ public_id: mandateId, idempotency_key: key })
    return lateOutcome(order, code)
  } catch (error) {
    if (!isOutage(error) || lateMs < GIVE_UP_MS) throw error
    return { outcome: 'expired', code: 'outcome_unknown', size: null, price: null }
  }
}
