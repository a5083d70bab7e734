import type { Adapter, Answer, Ending, Found, Plan } from '@svc/outbound'
import type { Context } from '#context.ts'
import type { Follow } from '#gaps/store/follows.ts'
import { captureForFollow } from '#reads/capture-for-follow.ts'
import { lookOf, outcomeOf, type OrderOutcome } from './rules/order-outcome.ts'
import { UNPAID } from './rules/order-verdict.ts'
import { noteCode, storeOutcome, storeReady, type OrderEffect } from './store/follow-orders.ts'

/** An order that was sent in its time is at hl-leg so long afterwards, or never. */
const LATE_MS = 30_000
/** hl-leg works on a request no longer than this, also on one whose sender was killed. */
const IN_FLIGHT_MS = 45_000

/**
 * Connects orders of a follow with the public API and hl-leg. Points in time are Unix milliseconds. Within its time an order is
 * looked up by sending it: the API looks for the order of the key first. Afterwards hl-leg is asked.
 */
export function orderAdapter(context: Context, follow: Follow): Adapter<OrderEffect, null> {
  const { ask, clock } = context
  const now = () => clock.now().getTime()
  return {
    plan: (row) => planOf(context, follow, row),
    // The bytes were stored with the order.
    sign: ({ id }) => Promise.resolve({ store: (tx) => storeReady(tx, id) }),
    send: (row) => sendOrder(context, follow, row),
    find: async (row): Promise<Found> => {
      const isLate = now() - row.notAfter.getTime() > LATE_MS
      const began = isLate ? now() - LATE_MS : 0
      const question = { public_id: follow.mandateId, idempotency_key: row.key }
      const { order } = isLate ? await ask.leg.readFollowOrder(question) : { order: null }
      const { outcome, ...look } = lookOf(order, row.code)
      return { ...look, began, endingOf: () => endingOf(context, row, outcome) }
    },
    now,
    validUntil: ({ notAfter }) => Math.min(now() + IN_FLIGHT_MS, notAfter.getTime()),
    describe: ({ followId, seq, n }) => ({ follow_id: followId, signal: seq, n }),
  }
}

/** Has the owner pay for the signal, and gives up an order that was not sent in its time or is not paid for. */
async function planOf(context: Context, follow: Follow, row: OrderEffect): Promise<Plan<null>> {
  const { clock } = context
  const { ownerId, mandateId, listingId, vaultId } = follow
  const giveUp = (outcome: 'refused' | 'expired', code: string): Plan<null> => {
    const ending = endingOf(context, row, { outcome, code, size: null, price: null })
    return { act: 'give_up', ending: { ...ending, outcome: 'abandoned' } }
  }
  if (clock.now().getTime() > row.notAfter.getTime()) return giveUp('expired', 'expired')
  // The first order pays for both.
  if (row.n === 2) return { act: 'sign', plan: null }
  const paid = await captureForFollow(context, { ownerId, mandateId, listingId, vaultId, seq: row.seq })
  return paid === UNPAID ? giveUp('refused', UNPAID) : { act: 'sign', plan: null }
}

async function sendOrder(context: Context, { mandateId }: Follow, row: OrderEffect): Promise<Answer> {
  const { publicApi, pool, clock } = context
  if (publicApi === null) throw new Error(`order ${row.id} is sent without the key of the runner`)
  const look = { began: clock.now().getTime(), says: 'unknown', executed: false } as const
  const answer = await publicApi.order(mandateId, row.key, row.body)
  if (answer === null) return { says: 'unclear' }
  const found = outcomeOf(answer)
  if (found.outcome === 'filled' || found.outcome === 'missed')
    return { says: 'done', ending: endingOf(context, row, found) }
  await noteCode(pool, row.id, found.code ?? 'refused')
  if (found.outcome !== null) return { says: 'refused', ending: endingOf(context, row, found), look }
  // A gateway that stopped waiting for hl-leg answers with 503, and hl-leg may place the order later.
  return { says: answer.status < 500 ? 'over' : 'unclear' }
}

/** Returns the end of an order with the columns of its kind. */
function endingOf({ clock }: Pick<Context, 'clock'>, { id }: OrderEffect, found: OrderOutcome): Ending {
  const { outcome, code, size, price } = found
  const done = code === 'partial' ? 'partial' : 'done'
  return {
    outcome: outcome === 'filled' ? done : outcome === 'refused' ? 'refused' : 'expired',
    evidence: { outcome, code, size, price },
    store: (tx) => storeOutcome(tx, id, found, clock.now()),
  }
}
