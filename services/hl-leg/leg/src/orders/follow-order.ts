import { exact } from '@svc/hyperliquid/rounding'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { askSurvey } from '#legs/store/legs.ts'
import { positionAfter } from './read-scene.ts'
import { endingOf, findOut, isCertain, type Found, type StoredOrder } from '@svc/venue/find-out'
import { noteContradiction } from '@svc/venue/note-contradiction'
import { badFillOf } from '@svc/venue/rules/fills'
import type { WeightClass } from '@svc/venue/rules/weights'
import { wantMove } from './store/collateral-moves.ts'
import {
  countContradiction,
  countSend,
  findOrder,
  resolveOrder,
  type LegOrder,
  type Resolution,
} from './store/orders.ts'

/** Pause before the same bytes are sent again, or before the venue is asked again. */
const PAUSE_MS = 250

type Follower = Pick<Context, 'pool' | 'clock' | 'venue' | 'log' | 'settings'>

interface Following {
  readonly first: boolean
  readonly steps: number
}

/**
 * Sends the stored bytes of an order and finds out what became of it, in at most `steps` requests. The same bytes go
 * again until they expire; then the venue is asked for the order. `first` is true only for the caller that has just
 * stored the bytes. Returns the order, which is still `signed` if nothing is certain yet.
 */
export async function followOrder(context: Follower, order: LegOrder, following: Following): Promise<LegOrder> {
  for (let step = 0; step < following.steps; step += 1) {
    if (step > 0) await new Promise<void>((resolve) => context.clock.after(PAUSE_MS, resolve))
    const isFirst = following.first && step === 0
    // The first copy is counted with the bytes.
    const copies = isFirst ? 1 : await countSend(context.pool, order.id)
    if (copies === null) return readAgain(context, order)
    const found = await unlessOutage(context, () => find(context, order, copies))
    const from = isFirst ? plannedAt(order) : undefined
    const resolution =
      found === null ? null : await unlessOutage(context, () => resolutionOf(context, order, found, from))
    if (resolution !== null) return storeResolution(context, order, resolution)
  }
  return order
}

/** Sends the bytes, or looks for the order. A key that the venue does not know is surveyed, so that the leg gets the state that explains it. */
async function find(context: Follower, order: LegOrder, copies: number): Promise<Found> {
  const found = await findOut(context, storedOf(order), { copies, paying: payingFor(order) })
  const { sent, known } = found
  if (known.kind === 'contradiction')
    noteContradiction(context, {
      kind: 'leg_order',
      id: order.id,
      count: await countContradiction(context.pool, order.id),
    })
  if (sent?.kind === 'ours')
    context.log.error({ order: order.id, reason: sent.reason }, 'the venue cannot read an order')
  if (sent?.kind === 'refused' && sent.cause === 'agent_unknown') await askSurvey(context.pool, order.publicId)
  return found
}

/** The venue's clock may go back so far between two of its answers. */
const CLOCK_STEP_MS = 250

/**
 * Returns the venue's time when it was read for the plan of an order, which nothing of the order precedes: its rows since then
 * are few, and rows cost weight. A later look begins earlier. Undefined for an order that was planned without a reading.
 */
const plannedAt = ({ readings }: LegOrder): number | undefined =>
  readings.length === 0 ? undefined : Math.min(...readings.map(({ time }) => time)) - CLOCK_STEP_MS

/** Closes and what belongs to them come first. */
const classOf = ({ opening }: LegOrder): WeightClass => (opening ? 'orders' : 'closes')
/** What became of a close of the stop line can wait; the closes of its next run, which are paid by closes, cannot. */
const readingClassOf = (order: LegOrder): WeightClass => (order.by === 'stop_line' ? 'worth' : classOf(order))
const payingFor = (order: LegOrder) => ({ send: classOf(order), read: readingClassOf(order) })

function storedOf(order: LegOrder): StoredOrder {
  const { signer, body, expiresAfter, signedAt } = order
  if (signer === null || body === null || expiresAfter === null || signedAt === null)
    throw new Error(`order ${order.id} has no bytes`)
  return { account: order.account, coin: order.coin, cloid: order.cloid, signer, body, expiresAfter, signedAt }
}

/**
 * Returns what became of the order, with the position after it; null while that is not certain, or not all of its
 * executions are listed.
 */
async function resolutionOf(
  context: Follower,
  order: LegOrder,
  found: Found,
  from: number | undefined,
): Promise<DatedResolution | null> {
  if (!isCertain(found.known)) return null
  const endOfIt = async () => {
    const ending = await endingOf(context, { ...storedOf(order), size: order.size }, readingClassOf(order), found, from)
    if (ending === null) return null
    const { size: filledSize, notionalUsdc: filledNotionalUsdc, fills, ...rest } = ending
    const badFillUsdc = badFillOf(fills, order.side, order.markPrice)
    const end = { ...rest, filledSize, filledNotionalUsdc, fills: [...fills], badFillUsdc }
    return { end, at: context.clock.now() }
  }
  const [ended, position] = await Promise.all([endOfIt(), positionAfter(context, readingClassOf(order), order)])
  return ended === null ? null : { end: { ...ended.end, position }, at: ended.at }
}

/** A resolution with the time at which it was found out. */
interface DatedResolution {
  readonly end: Resolution
  readonly at: Date
}

/** Stores the resolution, and wants the collateral home after a close, or after an open that executed nothing, all at once. */
async function storeResolution({ pool }: Follower, order: LegOrder, { end, at }: DatedResolution): Promise<LegOrder> {
  const { publicId, dex, opening } = order
  const goesHome = dex !== '' && opening === exact(end.filledSize).isZero()
  const resolved = goesHome
    ? await pool.transaction(async (tx) => {
        const stored = await resolveOrder(tx, order, end, at)
        if (stored !== null) await wantMove(tx, { publicId, from: dex, to: '' }, at)
        return stored
      })
    : await resolveOrder(pool, order, end, at)
  return resolved ?? readAgain({ pool }, order)
}

/** Returns an order as it stands now. */
const readAgain = async ({ pool }: Pick<Follower, 'pool'>, order: LegOrder): Promise<LegOrder> =>
  (await findOrder(pool, order.publicId, order.orderKey)) ?? order

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
