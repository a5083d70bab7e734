import { isOutage } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { endingOf, findOut, type Ending, type Found, type StoredOrder } from '@svc/venue/find-out'
import { noteContradiction } from '@svc/venue/note-contradiction'
import type { WeightClass } from '@svc/venue/rules/weights'
import { positionAfter } from './read-scene.ts'
import { countContradiction, countSend, readTrade, resolveTrade, type TradeOrder } from './store/trade-orders.ts'

/** Pause before the same bytes are sent again, or before the venue is asked again. */
const PAUSE_MS = 250

/** A close is sent in the class of closes; whatever is read for an order belongs to the class of orders. */
const payingFor = ({ opening }: TradeOrder) => ({
  send: opening ? ('orders' as const) : ('closes' as const),
  read: 'orders' as const,
})

/**
 * Sends the stored bytes of an order and finds out what became of it, in at most `steps` requests. `first` is true only for
 * the caller that has just stored the bytes. Returns the order, which is still `signed` if nothing is certain yet.
 */
export async function followTrade(
  context: Context,
  order: TradeOrder,
  { first, steps }: { readonly first: boolean; readonly steps: number },
): Promise<TradeOrder> {
  for (let step = 0; step < steps; step += 1) {
    if (step > 0) await new Promise<void>((resolve) => context.clock.after(PAUSE_MS, resolve))
    // The first copy is counted with the bytes.
    const copies = first && step === 0 ? 1 : await countSend(context.pool, order.id)
    if (copies === null) return readTrade(context.pool, order.id)
    const found = await unlessOutage(context, () => find(context, order, copies))
    const ended = found === null ? null : await unlessOutage(context, () => end(context, order, found))
    if (ended !== null) return ended
  }
  return order
}

async function find(context: Context, order: TradeOrder, copies: number): Promise<Found> {
  const found = await findOut(context, storedOf(order), { copies, paying: payingFor(order) })
  const { sent, known } = found
  if (known.kind === 'contradiction') await noteContradictionOf(context, order)
  if (sent?.kind === 'ours')
    context.log.error({ order: order.id, reason: sent.reason }, 'the venue cannot read an order')
  return found
}

/** Counts a look-up of an order that contradicted itself. */
export async function noteContradictionOf(context: Context, { id }: TradeOrder): Promise<void> {
  noteContradiction(context, { kind: 'own_order', id, count: await countContradiction(context.pool, id) })
}

function storedOf(order: TradeOrder): StoredOrder {
  const { account, signer, body, expiresAfter, signedAt, coin, cloid } = order
  if (account === null || signer === null || body === null || expiresAfter === null || signedAt === null)
    throw new Error(`order ${order.id} has no bytes`)
  return { account: account as Address, coin, cloid, signer, body, expiresAfter, signedAt }
}

/** Stores what became of an order, if that is certain. */
async function end(context: Context, order: TradeOrder, found: Found): Promise<TradeOrder | null> {
  const ending = await endingOf(context, { ...storedOf(order), size: order.size }, 'orders', found)
  return ending === null ? null : storeEnding(context, order, ending, 'orders')
}

/** Stores what became of an order for certain, with the position after it; the first resolution stays. */
export async function storeEnding(
  context: Context,
  order: TradeOrder,
  ending: Ending,
  by: WeightClass,
): Promise<TradeOrder> {
  const { account, coin } = order
  const position = account === null ? null : await positionAfter(context, by, account as Address, coin)
  const {
    size: filledSize,
    notionalUsdc: filledNotionalUsdc,
    averagePrice,
    feeUsdc,
    state,
    oid,
    reason,
    copies,
  } = ending
  const end = { state, oid, filledSize, averagePrice, filledNotionalUsdc, feeUsdc, reason, position, copies }
  const stored = await resolveTrade(context.pool, order.id, end, context.clock.now())
  return stored ?? readTrade(context.pool, order.id)
}

/** Returns null instead of an outage, and for a spent budget: the order is tried again. */
async function unlessOutage<T>({ log }: Context, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error }, 'what became of an order is not known yet')
    return null
  }
}
