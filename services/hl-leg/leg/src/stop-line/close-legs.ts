import { RefusalError } from '@svc/contract'
import { usdcText } from '@svc/limits'
import { counterOf, eachOf, isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { startCloses, type HouseClose } from '#orders/send-close.ts'
import type { LegOrder } from '#orders/store/orders.ts'
import { hasPosition } from '@svc/venue/rules/reading'
import { marketIdOf } from '@svc/venue/rules/market-id'
import type { Target } from './begin-closings.ts'
import { readQuotes, type Books, type Quotes } from './read-quotes.ts'
import { judgeRun, type CloseEnd } from './rules/judge-run.ts'
import { planCloses, type Close } from './rules/plan-closes.ts'
import type { Problem } from './stop-line-problem.ts'
import { endClosing, storeRun, storeTold, type Closed, type Closing } from './store/closings.ts'
import { readEach } from './watch-legs.ts'

const countClose = counterOf(
  'hub_stop_line_closes_total',
  'Orders by which the stop line closed positions, by how they ended',
  eachOf('outcome', ['filled', 'partial', 'unknown', 'passing', 'refused']),
)

/** What a run closed. */
export interface ClosingRun {
  /** Orders that were sent. */
  readonly orders: number
  readonly problems: readonly Problem[]
}

/**
 * Closes all positions of legs, each with one order at its full size, all at once; `books` were read a moment ago. Then tells mandates of stops, and
 * ends the closings of which nothing is left. What is left is closed by the next run.
 */
export async function closeLegs(
  context: Context,
  targets: readonly Target[],
  books: Books = new Map(),
): Promise<ClosingRun> {
  const quotes = await readQuotes(
    context,
    targets.flatMap(({ leg }) => leg.state?.account.positions ?? []),
    books,
  )
  const planned = targets.map((target) => ({ target, closes: closesOf(context, target, quotes) }))
  const ends = await sendAll(
    context,
    planned.flatMap(({ closes }) => closes),
  )
  const runs = await Promise.all(
    planned.map(async ({ target, closes }) =>
      endLeg(
        context,
        target,
        await Promise.all(closes.map(async (one) => ({ close: one.close, end: await ends(one) }))),
      ),
    ),
  )
  return {
    orders: runs.reduce((sum, { orders }) => sum + orders, 0),
    problems: runs.flatMap(({ problems }) => problems),
  }
}

/** A close as planned, and as it is sent. */
interface Planned {
  readonly close: Close
  readonly house: HouseClose
}
interface Ended {
  readonly close: Close
  readonly end: CloseEnd
}

/** Plans an order for each position. A position without a known market waits for the next run. */
function closesOf({ settings }: Context, { leg }: Target, quotes: Quotes): readonly Planned[] {
  if (leg.state === null) return []
  const { account: reading } = leg.state
  const plan = planCloses(reading.positions, (coin) => quotes.get(coin) ?? null, settings.slippagePct)
  return plan.closes.map((close) => {
    const market = quotes.get(close.coin)?.market
    const position = reading.positions.find(({ coin }) => coin === close.coin)
    if (market === undefined || position === undefined) throw new Error(`a close of ${close.coin} has no position`)
    return {
      close,
      house: { leg: leg.leg, by: 'stop_line', position, market, worstPrice: close.price, reading },
    }
  })
}

/** Sends closes, all at the same time; returns how each ends. */
async function sendAll(context: Context, planned: readonly Planned[]): Promise<(one: Planned) => Promise<CloseEnd>> {
  try {
    const sent = await startCloses(
      context,
      planned.map(({ house }) => house),
    )
    const ends = new Map(
      planned.map((one, index) => [one, endOf(sent[index] ?? Promise.reject(new Error('not sent')))]),
    )
    return (one) => ends.get(one) ?? Promise.reject(new Error('not planned'))
  } catch (error) {
    if (!isOutage(error)) throw error
    return () => Promise.resolve({ kind: 'passing', reason: 'the database is away' })
  }
}

/** Counts what a run closed of a leg, tells mandates of the stop, and ends the closing if nothing is left. */
async function endLeg(context: Context, { closing, leg }: Target, ends: readonly Ended[]): Promise<ClosingRun> {
  const { pool, clock, settings } = context
  for (const { end } of ends) countClose({ outcome: end.kind })
  const isFlat = leg.state !== null && !hasPosition(leg.state.account)
  const left = isFlat ? 0 : await positionsLeft(context, leg)
  const verdict = judgeRun(
    ends.map(({ end }) => end),
    left,
  )
  const closed = ends.flatMap(({ close, end }) => closedBy(close, end))
  const reasons = [...verdict.refused]
  if (closing !== null) {
    const ticks = await storeRun(pool, closing, { closed, transient: verdict.transient })
    const untold = await tell(context, closing, closed)
    if (left === 0 && untold === null) await endClosing(pool, closing, clock.now())
    if (ticks >= settings.transientPageTicks) reasons.push(`positions are left after ${ticks} runs`)
    if (untold !== null) reasons.push(untold)
  }
  return { orders: ends.length, problems: reasons.map((reason) => ({ publicId: leg.leg.publicId, reason })) }
}

/** The venue's answer to a close of a position that is closed already, or was turned round by hand. */
const ALREADY_CLOSED = /^Reduce only order would increase position/

/** Says how a close ended that was sent. */
async function endOf(sent: Promise<LegOrder>): Promise<CloseEnd> {
  try {
    const { state, filledSize, averagePrice, reason } = await sent
    if ((state === 'filled' || state === 'partial') && averagePrice !== null)
      return { kind: state, size: filledSize, averagePrice }
    if (state === 'signed') return { kind: 'unknown' }
    const why = reason ?? ''
    return { kind: state === 'rejected' && !ALREADY_CLOSED.test(why) ? 'refused' : 'passing', reason: why }
  } catch (error) {
    if (isOutage(error)) return { kind: 'passing', reason: 'the venue or the database is away' }
    if (error instanceof RefusalError) return { kind: 'refused', reason: error.message }
    throw error
  }
}

/** What mandates is told of an order; nothing of one that executed nothing. */
function closedBy({ coin, side, size }: Close, end: CloseEnd): Closed[] {
  const order = { market: marketIdOf(coin), side }
  if (end.kind === 'unknown') return [{ ...order, size, average_price: null }]
  return end.kind === 'filled' || end.kind === 'partial'
    ? [{ ...order, size: end.size, average_price: end.averagePrice }]
    : []
}

/** Returns the number of positions of an account; null if it cannot be read. */
async function positionsLeft(context: Context, leg: Target['leg']): Promise<number | null> {
  const [read] = await readEach(context, [leg.leg])
  return read?.state?.account.positions.length ?? null
}

/**
 * Tells mandates that the stop line closed a mandate, once until it acknowledges. Returns null if there is nothing to
 * tell any more, and why it failed otherwise.
 */
async function tell(
  { mandates, pool, clock }: Context,
  closing: Closing,
  now: readonly Closed[],
): Promise<string | null> {
  const { worth, line, toldAt, publicId, readAt, ownerMoved } = closing
  if (toldAt !== null || worth === null || line === null) return null
  try {
    await mandates.stopForLine({
      public_id: publicId,
      worth_usdc: usdcText(worth > 0n ? worth : 0n),
      stop_line_usdc: usdcText(line),
      read_at: readAt.toISOString(),
      caused_by: ownerMoved ? 'owner_moved_money' : null,
      closed: [...closing.closed, ...now],
    })
  } catch (error) {
    if (!isOutage(error)) throw error
    return 'mandates did not acknowledge the stop; the next run tells it again'
  }
  await storeTold(pool, closing, clock.now())
  return null
}
