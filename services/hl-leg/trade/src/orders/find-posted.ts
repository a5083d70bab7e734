import { refuse } from '@svc/contract'
import { notAtVenue, orderDiffers } from '@svc/contracts/hl-trade/orders'
import type { AnswerTo } from '@svc/hyperliquid'
import type { Found } from '@svc/outbound'
import { evidenceOf } from '@svc/outbound/rules'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { fillsOf } from '@svc/venue/read-outcome'
import { sumFills } from '@svc/venue/rules/fills'
import { endOfPosted, lookOfPosted } from './rules/posted.ts'
import { firstOffered, type TradeEffect } from './store/trade-orders.ts'
import { endWith, foundBy, venueOrderOf } from './trade-adapter.ts'

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
 * Refuses with `order_not_at_venue` while it may still come, and with `order_differs` if the id names another order. Rejects with an
 * outage.
 */
export async function findPosted(context: Context, row: TradeEffect): Promise<Found> {
  const { venue, clock } = context
  const order = venueOrderOf(row)
  const { account: user, cloid: oid } = order
  const { time: venueMs } = await venue.ask('orders', 'exchangeStatus')
  const [status, answer] = await Promise.all([
    venue.ask('orders', 'orderStatus', { user, oid }),
    venue.ask('orders', 'userFillsByTime', { user, startTime: row.preparedAt.getTime() - BEFORE_MS }),
  ])
  if (status.status === 'order' && !isPrepared(row, status.order)) refuse(orderDiffers)
  const listed = status.status === 'unknownOid' ? null : listedOf(status.order)
  const fills = fillsOf(answer, order)
  const found = foundBy(context, row, { listed, fills, venueMs })
  if (found.says === 'unknown' && evidenceOf(found, row.effect_over_after) === 'nothing')
    refuse(notAtVenue, undefined, { retry_at: new Date(clock.now().getTime() + AGAIN_MS).toISOString() })
  return found
}

type Listed = Extract<AnswerTo<'orderStatus'>, { status: 'order' }>['order']

/** Returns true for an order of the market, side and time that were prepared. */
function isPrepared({ coin, side, preparedAt, expiresAt }: TradeEffect, { order }: Listed): boolean {
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

/** What a wallet executed since its first order that a browser may have posted; nothing is missing until `knownMs`. */
interface WalletFills {
  readonly answer: AnswerTo<'userFillsByTime'>
  readonly knownMs: number
}

/**
 * Returns a look-up of orders that browsers may have posted and nobody recorded, by the executions of their wallets: one reading for
 * all orders of an owner's wallet, in the class of relays. It rejects with an outage.
 */
export function findUnrecorded(context: Context): (row: TradeEffect) => Promise<Found> {
  const readings = new Map<string, Promise<WalletFills>>()
  return async (row) => {
    const { account } = venueOrderOf(row)
    const key = `${row.ownerId} ${account}`
    const reading = readings.get(key) ?? readWallet(context, account, row)
    readings.set(key, reading)
    const { answer, knownMs } = await reading
    const letter = row.side === 'buy' ? 'B' : 'A'
    const own = answer.filter(({ side }) => side === letter)
    const fills = fillsOf(own, row)
    const oid = own.find(({ cloid, coin }) => cloid === row.cloid && coin === row.coin)?.oid ?? null
    return {
      ...lookOfPosted(fills, knownMs),
      endingOf: () =>
        endWith(context, row, { ...sumFills(fills), ...endOfPosted(row.size, fills), oid, copies: null }, 'relays'),
    }
  }
}

async function readWallet({ venue, pool }: Context, user: Address, row: TradeEffect): Promise<WalletFills> {
  const startTime = (await firstOffered(pool, row)).getTime() - BEFORE_MS
  // The time first: an execution that is missing a moment later was missing at that time too.
  const { time: venueMs } = await venue.ask('relays', 'exchangeStatus')
  const answer = await venue.ask('relays', 'userFillsByTime', { user, startTime })
  // Oldest first and no more than a page: what happened after its last row is not known.
  return { answer, knownMs: answer.length < FILLS_MAX ? venueMs : Math.max(...answer.map(({ time }) => time)) }
}
