import { refuse } from '@svc/contract'
import { notAtVenue, orderDiffers } from '@svc/contracts/hl-trade/orders'
import type { AnswerTo } from '@svc/hyperliquid'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { endingOf } from '@svc/venue/find-out'
import { fillsOf } from '@svc/venue/read-outcome'
import { afterLook } from '@svc/venue/rules/resolve-order'
import { sumFills } from '@svc/venue/rules/fills'
import { noteContradictionOf, storeEnding } from './follow-trade.ts'
import { endOfPosted, type Posted } from './rules/posted.ts'
import type { TradeOrder } from './store/trade-orders.ts'

/** When a record may be tried again. */
const AGAIN_MS = 2_000
/** Executions are asked for from so long before an order was prepared: the clocks differ. */
const BEFORE_MS = 120_000
/** An order of the venue may be so much later than the expiry of its action. */
const AFTER_MS = 15_000
/** Most executions that the venue lists in one answer. */
const FILLS_MAX = 2_000

/**
 * Looks for the order that a browser says it posted. Believed is what the venue says of our id for it on the linked account.
 * Refuses with `order_not_at_venue` while it may still come, and with `order_differs` if the id names another order.
 * Returns the order, still `offered` if nothing is certain. Rejects with an outage.
 */
export async function findPosted(context: Context, order: TradeOrder): Promise<TradeOrder> {
  const { venue, clock } = context
  const sent = sentOf(order)
  const { time: venueMs } = await venue.ask('orders', 'exchangeStatus')
  const [status, answer] = await Promise.all([
    venue.ask('orders', 'orderStatus', { user: sent.account, oid: sent.cloid }),
    venue.ask('orders', 'userFillsByTime', { user: sent.account, startTime: order.preparedAt.getTime() - BEFORE_MS }),
  ])
  if (status.status === 'order' && !isPrepared(order, status.order)) refuse(orderDiffers)
  const listed = status.status === 'unknownOid' ? null : listedOf(status.order)
  const fills = fillsOf(answer, sent)
  const known = afterLook({ listed, fills, venueMs }, order.expiresAt.getTime())
  if (known === null && listed === null && fills.length === 0)
    refuse(notAtVenue, undefined, { retry_at: new Date(clock.now().getTime() + AGAIN_MS).toISOString() })
  if (known === null) return order
  if (known.kind === 'contradiction') await noteContradictionOf(context, order)
  const ending = await endingOf(context, { ...sent, size: order.size }, 'orders', { known, fills })
  return ending === null ? order : storeEnding(context, order, ending, 'orders')
}

function sentOf({ account, coin, cloid, preparedAt }: TradeOrder) {
  if (account === null) throw new Error('an order of the venue has an account')
  return { account: account as Address, coin, cloid, signedAt: preparedAt }
}

type Listed = Extract<AnswerTo<'orderStatus'>, { status: 'order' }>['order']

/** Returns true for an order of the market, side and time that were prepared. */
function isPrepared({ coin, side, preparedAt, expiresAt }: TradeOrder, { order }: Listed): boolean {
  const from = preparedAt.getTime() - BEFORE_MS
  const isInTime = order.timestamp >= from && order.timestamp <= expiresAt.getTime() + AFTER_MS
  return order.coin === coin && (order.side === 'B') === (side === 'buy') && isInTime
}

const listedOf = ({ order, status }: Listed) => ({
  oid: order.oid,
  status,
  size: order.origSz,
  remaining: order.sz,
})

/**
 * Looks at the executions of a wallet for orders that browsers may have posted and nobody recorded: one reading for all of
 * them, in the class of relays. Returns those that are certain. Rejects with an outage.
 */
export async function findUnrecorded(context: Context, orders: readonly TradeOrder[]): Promise<readonly TradeOrder[]> {
  const { venue } = context
  const account = orders[0]?.account
  if (account === undefined || account === null) return []
  const startTime = Math.min(...orders.map(({ preparedAt }) => preparedAt.getTime())) - BEFORE_MS
  // The time first: an execution that is missing a moment later was missing at that time too.
  const { time: venueMs } = await venue.ask('relays', 'exchangeStatus')
  const answer = await venue.ask('relays', 'userFillsByTime', { user: account as Address, startTime })
  // Oldest first and no more than a page: what happened after its last row is not known.
  const knownMs = answer.length < FILLS_MAX ? venueMs : Math.max(...answer.map(({ time }) => time))
  const found: TradeOrder[] = []
  for (const order of orders) {
    const end = endOfPosted(postedOf(order, answer), knownMs)
    if (end === null) continue
    const { fills, ...rest } = end
    found.push(await storeEnding(context, order, { ...sumFills(fills), fills, ...rest, copies: null }, 'relays'))
  }
  return found
}

function postedOf(order: TradeOrder, answer: AnswerTo<'userFillsByTime'>): Posted {
  const letter = order.side === 'buy' ? 'B' : 'A'
  const own = answer.filter(({ side }) => side === letter)
  const fills = fillsOf(own, order)
  const oid = own.find(({ cloid, coin }) => cloid === order.cloid && coin === order.coin)?.oid ?? null
  return { size: order.size, expiresMs: order.expiresAt.getTime(), fills, oid }
}
