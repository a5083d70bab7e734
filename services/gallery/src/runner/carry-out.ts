import { evidenceOf, refusalEnds } from '@svc/outbound/rules'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import type { Follow } from '#gaps/store/follows.ts'
import { captureForFollow } from '#reads/capture-for-follow.ts'
import { lateOutcome, outcomeOf, type OrderOutcome } from './rules/order-outcome.ts'
import { UNPAID } from './rules/order-verdict.ts'
import { beginSend, endSend, noteCode, storeOutcome, type StoredOrder } from './store/follow-orders.ts'

/** An order that was sent in its time is at hl-leg so long afterwards, or never. */
const LATE_MS = 30_000
/** hl-leg works on a request no longer than this, also on one whose sender was killed. */
const IN_FLIGHT_MS = 45_000
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
  return found === null ? null : storeOutcome(pool, order, found.outcome, { now: clock.now(), sends: found.sends })
}

/** What became of an order; it holds only while no request but these `sends` was sent, null: whatever was sent. */
interface Found {
  readonly outcome: OrderOutcome
  readonly sends: number | null
}

async function sendOrder(context: Context, follow: Follow, order: StoredOrder): Promise<Found | null> {
  const { publicApi, pool, clock } = context
  if (publicApi === null) return null
  // What was sent is paid for.
  if (order.n === 1 && order.sends === 0 && !(await isPaid(context, follow, order.seq)))
    return { outcome: { outcome: 'refused', code: UNPAID, size: null, price: null }, sends: 0 }
  const began = clock.now().getTime()
  const send = await beginSend(pool, order, new Date(began + IN_FLIGHT_MS))
  const answer = send === null ? null : await publicApi.order(follow.mandateId, order.key, order.body)
  if (send === null || answer === null) return null
  await endSend(pool, order, send)
  const found = outcomeOf(answer)
  if (found.outcome === 'filled' || found.outcome === 'missed') return { outcome: found, sends: null }
  // An earlier request, of a process that was killed, may be on its way and place what this one was refused. This one looked for
  // the order of the key before it was refused.
  const copies = { count: send.n, overAfter: send.before?.getTime() ?? Number.NEGATIVE_INFINITY }
  const ends = refusalEnds(copies, { began, says: 'unknown', executed: false })
  if (found.outcome !== null && ends) return { outcome: found, sends: send.n }
  await noteCode(pool, order, found.code ?? 'refused')
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
): Promise<Found | null> {
  // Until then a missing row proves nothing.
  if (evidenceOf({ began: lateMs, says: 'unknown', executed: false }, LATE_MS) !== 'not_done') return null
  try {
    const { order } = await ask.leg.readFollowOrder({ public_id: mandateId, idempotency_key: key })
    const outcome = lateOutcome(order, code)
    return outcome === null ? null : { outcome, sends: null }
  } catch (error) {
    if (!isOutage(error) || lateMs < GIVE_UP_MS) throw error
    return { outcome: { outcome: 'expired', code: 'outcome_unknown', size: null, price: null }, sends: null }
  }
}
