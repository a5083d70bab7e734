import type { AnswerTo } from '@svc/hyperliquid'
import type { Context } from '#context.ts'
import type { WeightClass } from '#venue/rules/weights.ts'
import { sumFills, type Fill } from './rules/fills.ts'
import type { LookedUp } from './rules/resolve-order.ts'
import type { LegOrder } from './store/orders.ts'

type Reader = Pick<Context, 'venue'>
type Sent = Pick<LegOrder, 'account' | 'cloid' | 'signedAt' | 'coin' | 'opening'>

/** Executions are asked for from so long before the order was signed: the clocks differ. */
const BEFORE_MS = 120_000

/** Closes and what belongs to them come first. */
export const classOf = ({ opening }: Pick<LegOrder, 'opening'>): WeightClass => (opening ? 'orders' : 'closes')

/** Reads the executions that carry the id of an order, oldest first. Rejects with an outage. */
export async function readFills({ venue }: Reader, order: Sent): Promise<readonly Fill[]> {
  const startTime = (order.signedAt?.getTime() ?? 0) - BEFORE_MS
  const fills = await venue.ask(classOf(order), 'userFillsByTime', { user: order.account, startTime })
  return fills
    .filter((fill) => fill.cloid === order.cloid && fill.coin === order.coin)
    .map(({ tid, px, sz, fee, time }) => ({ tid, px, sz, fee, time }))
    .toSorted((a, b) => a.time - b.time || a.tid - b.tid)
}

/** What the venue tells of an order by our id, with its executions. */
export interface Looked extends LookedUp {
  readonly fills: readonly Fill[]
}

/** Asks the venue for an order by our id, for its executions and for the venue's time. Rejects with an outage. */
export async function lookUp(context: Reader, order: Sent): Promise<Looked> {
  const { venue } = context
  const by = classOf(order)
  // The time first: an order that is unknown a moment later was unknown at that time too.
  const { time } = await venue.ask(by, 'exchangeStatus')
  const [status, fills] = await Promise.all([
    venue.ask(by, 'orderStatus', { user: order.account, oid: order.cloid }),
    readFills(context, order),
  ])
  return { listed: listedOf(status, order), fills, filled: sumFills(fills), venueMs: time }
}

/** The venue lets an id be used again, so an order of another market or of before is not ours. */
function listedOf(answer: AnswerTo<'orderStatus'>, order: Sent): LookedUp['listed'] {
  if (answer.status === 'unknownOid') return null
  const { order: found, status } = answer.order
  if (found.coin !== order.coin || found.timestamp < (order.signedAt?.getTime() ?? 0) - BEFORE_MS) return null
  return { oid: found.oid, status, size: found.origSz, remaining: found.sz }
}
