import { isOutage } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { listedDexes } from '@svc/venue/listed-dexes'
import { positionView, type PositionView } from '@svc/venue/position-view'
import { askAccount } from '@svc/venue/read-account'
import type { Prices } from '@svc/venue/rules/band'
import { coinOf, marketIdOf } from '@svc/venue/rules/market-id'
import type { Position, Reading } from '@svc/venue/rules/reading'
import type { WeightClass } from '@svc/venue/rules/weights'
import { readBook, readMarket, type TradeBook, type TradeMarket } from './read-market.ts'

/** All that a live order is planned and judged by, read for it. */
export interface TradeScene {
  readonly market: TradeMarket
  readonly reading: Reading
  /** Null only for a close, which does not wait for a book. */
  readonly book: TradeBook | null
  readonly prices: Prices
  /** In the market of the order; null without one. */
  readonly position: Position | null
}

type Reader = Pick<Context, 'relay' | 'venue' | 'clock' | 'log' | 'settings'>

/** Reads an own account over all dexes of this deployment. Rejects with an outage. */
export async function readOwnAccount(
  context: Pick<Context, 'venue' | 'clock' | 'settings'>,
  by: WeightClass,
  wallet: Address,
): Promise<Reading> {
  const { dexes, readingMaxAgeSec: maxAgeSec } = context.settings
  return askAccount(context, by, wallet, { dexes, listed: new Set(await listedDexes(context, by)), maxAgeSec })
}

/**
 * Reads account, market and book at the same time. With `closing` a missing book does not hold the order up, and the
 * price at which the venue values the position is its mark price. Returns null for a market that the venue does not have.
 * Rejects with an outage.
 */
export async function readScene(
  context: Reader,
  wallet: Address,
  marketId: string,
  closing: boolean,
): Promise<TradeScene | null> {
  const coin = coinOf(marketId)
  if (coin === null) return null
  const [reading, market, booked] = await Promise.all([
    readOwnAccount(context, 'orders', wallet),
    readMarket(context, coin),
    // Settled, because the book of a market that does not exist is missing too.
    Promise.allSettled([readBook(context, coin)]),
  ])
  if (market === null) return null
  if (booked[0].status === 'rejected' && !(closing && isOutage(booked[0].reason))) throw booked[0].reason
  const book = booked[0].status === 'fulfilled' ? booked[0].value : null
  const position = reading.positions.find((one) => one.coin === coin) ?? null
  const mark = closing && position !== null ? position.markPrice : market.mark
  const prices = { mark, bid: book?.bids[0]?.price ?? null, ask: book?.asks[0]?.price ?? null }
  return { market, reading, book, prices, position }
}

/** Reads the position in a market after an order; null if the venue does not answer. */
export async function positionAfter(
  context: Reader,
  by: WeightClass,
  wallet: Address,
  coin: string,
): Promise<PositionView | null> {
  try {
    const reading = await readOwnAccount(context, by, wallet)
    const position = reading.positions.find((one) => one.coin === coin) ?? null
    return positionView(marketIdOf(coin), position, reading.readAt)
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error }, 'the position after an order is not known')
    return null
  }
}
