import { exact } from '@svc/hyperliquid/rounding'
import { hlLeg } from '@svc/contracts/hl-leg'
import { emit } from '@svc/postgres'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { askSurvey } from '#legs/store/legs.ts'
import { classOf, lookUp, readFills } from './read-outcome.ts'
import { positionAfter } from './read-scene.ts'
import { badFillOf, sumFills, type Fill } from './rules/fills.ts'
import { afterLook, afterSending, allRead, endOf, type Known } from './rules/resolve-order.ts'
import { wantMove } from './store/collateral-moves.ts'
import { findOrder, resolveOrder, type LegOrder, type Resolution } from './store/orders.ts'

/** Pause before the same bytes are sent again, or before the venue is asked again. */
const PAUSE_MS = 250

type Follower = Pick<Context, 'pool' | 'clock' | 'venue' | 'log' | 'settings'>
/** What is known of an order, with the executions that were read on the way. */
interface Found {
  readonly known: Known
  readonly fills: readonly Fill[] | null
}

/**
 * Sends the stored bytes of an order and finds out what became of it, in at most `steps` requests. The same bytes go
 * again until they expire; then the venue is asked for the order. `first` is true only for the caller that has just
 * stored the bytes. Returns the order, which is still `signed` if nothing is certain yet.
 */
export async function followOrder(
  context: Follower,
  order: LegOrder,
  { first, steps }: { readonly first: boolean; readonly steps: number },
): Promise<LegOrder> {
  let isFirst = first
  for (let step = 0; step < steps; step += 1) {
    if (step > 0) await new Promise<void>((resolve) => context.clock.after(PAUSE_MS, resolve))
    const found = await unlessOutage(context, () => findOut(context, order, isFirst))
    isFirst = false
    const resolution = found === null ? null : await unlessOutage(context, () => resolutionOf(context, order, found))
    if (resolution !== null) return storeResolution(context, order, resolution)
  }
  return order
}

/**
 * Sends the bytes while they are good. Before a repetition the venue is asked for the order: the nonce stops a second
 * execution only while the venue remembers it.
 */
async function findOut(context: Follower, order: LegOrder, first: boolean): Promise<Found> {
  const { venue, clock, log } = context
  const { signer, body, expiresAfter } = order
  if (signer === null || body === null || expiresAfter === null) throw new Error(`order ${order.id} has no bytes`)
  if (!first) {
    const { fills, ...looked } = await lookUp(context, order)
    const known = afterLook(looked, expiresAfter)
    if (known !== null || looked.listed !== null || clock.now().getTime() > expiresAfter)
      return { known: known ?? { kind: 'look' }, fills }
  }
  const sent = await venue.send(classOf(order), { signer, body })
  if (sent.kind === 'ours') log.error({ order: order.id, reason: sent.reason }, 'the venue cannot read an order')
  // The key is surveyed, so that the leg gets the state that explains the refusal.
  if (sent.kind === 'refused' && sent.cause === 'agent_unknown') await askSurvey(context.pool, order.publicId)
  return { known: afterSending(sent, first), fills: null }
}

/**
 * Returns what became of the order, with the position after it; null while that is not certain, or not all of its
 * executions are listed.
 */
async function resolutionOf(context: Follower, order: LegOrder, { known, fills }: Found): Promise<Resolution | null> {
  if (known.kind === 'again' || known.kind === 'look') return null
  if (known.kind !== 'executed') {
    const position = await positionAfter(context, order)
    return { ...NOTHING, state: known.kind, reason: known.reason, position }
  }
  const [all, position] = await Promise.all([fills ?? readFills(context, order), positionAfter(context, order)])
  const sum = sumFills(all)
  if (!allRead(sum, known.size)) return null
  return {
    state: endOf(order.size, sum.size),
    oid: known.oid,
    filledSize: sum.size,
    averagePrice: sum.averagePrice,
    notionalUsdc: sum.notionalUsdc,
    feeUsdc: sum.feeUsdc,
    badFillUsdc: badFillOf(all, order.side, order.markPrice),
    fills: [...all],
    reason: null,
    position,
  }
}

const NOTHING: Omit<Resolution, 'state' | 'reason' | 'position'> = {
  oid: null,
  filledSize: '0',
  averagePrice: null,
  notionalUsdc: '0',
  feeUsdc: '0',
  badFillUsdc: '0',
  fills: [],
}

/**
 * Stores the resolution, tells it as an event, and wants the collateral home after a close, or after an open that executed
 * nothing, all at once.
 */
async function storeResolution({ pool, clock }: Follower, order: LegOrder, end: Resolution): Promise<LegOrder> {
  const now = clock.now()
  const resolved = await pool.transaction(async (tx) => {
    const stored = await resolveOrder(tx, order.id, end, now)
    if (stored === null) return null
    if (stored.dex !== '' && stored.opening === exact(stored.filledSize).isZero())
      await wantMove(tx, { publicId: stored.publicId, from: stored.dex, to: '' }, now)
    await emit(tx, hlLeg.events.orderResolved, {
      public_id: stored.publicId,
      owner_id: stored.ownerId,
      cloid: stored.cloid,
      market: stored.market,
      side: stored.side,
      status: stored.state === 'filled' || stored.state === 'partial' ? stored.state : 'missed',
      filled_size: stored.filledSize,
      average_price: stored.averagePrice,
      at: now.toISOString(),
    })
    return stored
  })
  return resolved ?? (await findOrder(pool, order.publicId, order.orderKey)) ?? order
}

/** Returns null instead of an outage, and for a spent budget: the order is tried again. */
async function unlessOutage<T>({ log }: Follower, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error }, 'what became of an order is not known yet')
    return null
  }
}
