import { isOutage, Outage } from '@svc/service'
import type { LegOrder } from './store/orders.ts'
import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import type { Position, Reading } from '@svc/venue/rules/reading'
import { readAccount } from '#readings/read-account.ts'
import { coinOf } from '@svc/venue/rules/market-id'
import { positionView } from '@svc/venue/position-view'
import type { WeightClass } from '@svc/venue/rules/weights'
import { freshMarket, readBook, type Book } from '#venue/read-prices.ts'
import { readMarket, type VenueMarket } from '#venue/store/markets.ts'
import type { Prices } from '@svc/venue/rules/band'

/** All that an order is planned and judged by, read for it. */
export interface OrderScene {
  readonly market: VenueMarket
  readonly reading: Reading
  readonly book: Book | null
  readonly prices: Prices
  /** In the market of the order; null without one. */
  readonly position: Position | null
}

type Reader = Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log'>

/**
 * Reads account, market and book at the same time. With `closing` a missing book or mark does not hold the order up: the
 * price at which the venue values the position stands for them. Returns null for a market that the venue does not have.
 * Rejects with an outage.
 */
export async function readScene(
  context: Reader,
  leg: Leg,
  marketId: string,
  closing: boolean,
): Promise<OrderScene | null> {
  const coin = coinOf(marketId)
  if (coin === null) return null
  const by: WeightClass = closing ? 'closes' : 'orders'
  const [reading, fresh, booked] = await Promise.all([
    readAccount(context, by, leg.owner),
    closing ? orNull(context, freshMarket(context, by, coin)) : freshMarket(context, by, coin),
    // Settled, because the book of a market that does not exist is missing too.
    Promise.allSettled([readBook(context, by, coin)]),
  ])
  const market = fresh ?? (closing ? await readMarket(context.pool, context.venue.network, coin) : null)
  if (market === null) return null
  const book = await (closing ? orNull(context, unwrap(booked[0])) : unwrap(booked[0]))
  const position = reading.positions.find((one) => one.coin === coin) ?? null
  const mark = closing && position !== null ? position.markPrice : market.mark
  const prices = { mark, bid: book?.bids[0]?.px ?? null, ask: book?.asks[0]?.px ?? null }
  return { market, reading, book, prices, position }
}

const unwrap = <T>(settled: PromiseSettledResult<T>): Promise<T> =>
  settled.status === 'fulfilled' ? Promise.resolve(settled.value) : Promise.reject(settled.reason)

/** Returns the readings of a scene as they are stored with the order. */
export const readingsOf = ({ reading }: OrderScene): LegOrder['readings'] =>
  reading.dexes.flatMap(({ dex, at, accountValue }) =>
    at === null ? [] : { dex, time: at.getTime(), account_value_usdc: accountValue },
  )

/** Free USDC of each dex of a reading. */
export const freeOf = ({ reading }: OrderScene): ReadonlyMap<string, string> =>
  new Map(reading.dexes.map(({ dex, withdrawable }) => [dex, withdrawable]))

/** Reads the position in a market after an order; null if the venue does not answer. */
export async function positionAfter(context: Reader, by: WeightClass, order: LegOrder): Promise<LegOrder['position']> {
  const { account, dex } = order
  const reading = await orNull(context, readAccount(context, by, account, [dex]))
  if (reading === null) return null
  const position = reading.positions.find(({ coin }) => coin === order.coin) ?? null
  return positionView(order.market, position, reading.readAt)
}

async function orNull<T>({ log }: Pick<Context, 'log'>, question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (!isOutage(error)) throw error
    if (!(error instanceof Outage)) log.warn({ err: error }, 'the venue did not answer a question of an order')
    return null
  }
}
