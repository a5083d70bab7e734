import type { AnswerTo } from '@svc/hyperliquid'
import type { Address } from 'viem'
import type { Fill } from './rules/fills.ts'
import type { LookedUp } from './rules/resolve-order.ts'
import type { WeightClass } from './rules/weights.ts'
import type { VenueClient } from './venue-client.ts'

/** An order that may be at the venue, named by our id. */
export interface SentOrder {
  readonly account: Address
  readonly coin: string
  readonly cloid: `0x${string}`
  readonly signedAt: Date
}
interface Reader {
  readonly venue: VenueClient
}

/** Executions are asked for from so long before the order was signed: the clocks differ. */
const BEFORE_MS = 120_000

/** Returns the executions that carry the id of an order, oldest first. */
export const fillsOf = (
  answer: AnswerTo<'userFillsByTime'>,
  { cloid, coin }: Pick<SentOrder, 'cloid' | 'coin'>,
): readonly Fill[] =>
  answer
    .filter((fill) => fill.cloid === cloid && fill.coin === coin)
    .map(({ tid, px, sz, fee, time }) => ({ tid, px, sz, fee, time }))
    .toSorted((a, b) => a.time - b.time || a.tid - b.tid)

/** Reads the executions that carry the id of an order since a time of the venue's clock, oldest first. Rejects with an outage. */
export async function readFills(
  { venue }: Reader,
  by: WeightClass,
  order: SentOrder,
  startTime = order.signedAt.getTime() - BEFORE_MS,
): Promise<readonly Fill[]> {
  return fillsOf(await venue.ask(by, 'userFillsByTime', { user: order.account, startTime }), order)
}

/** Asks the venue for an order by our id, for its executions and for the venue's time. Rejects with an outage. */
export async function lookUp(context: Reader, by: WeightClass, order: SentOrder): Promise<LookedUp> {
  const { venue } = context
  // The time first: an order that is unknown a moment later was unknown at that time too.
  const { time } = await venue.ask(by, 'exchangeStatus')
  const [status, fills] = await Promise.all([
    venue.ask(by, 'orderStatus', { user: order.account, oid: order.cloid }),
    readFills(context, by, order),
  ])
  return { listed: listedOf(status, order), fills, venueMs: time }
}

/** The venue lets an id be used again, so an order of another market or of before is not ours. */
function listedOf(answer: AnswerTo<'orderStatus'>, order: SentOrder): LookedUp['listed'] {
  if (answer.status === 'unknownOid') return null
  const { order: found, status } = answer.order
  if (found.coin !== order.coin || found.timestamp < order.signedAt.getTime() - BEFORE_MS) return null
  return { oid: found.oid, status, size: found.origSz, remaining: found.sz }
}
