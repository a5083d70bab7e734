import { refuse } from '@svc/contract'
import { paperRejected } from '@svc/contracts/hl-trade/books'
import type { VenueMarketView } from '@svc/contracts/hl-relay/markets'
import { isOutage, RemoteRefusal } from '@svc/service'
import type { Book } from '@svc/venue/rules/walk-book'
import type { Context } from '#context.ts'
import { coinOf } from '@svc/venue/rules/market-id'
import { takerFeeOf } from '@svc/venue/rules/taker-fee'
import type { PaperMarket } from './rules/plan-fill.ts'

/** Greatest age of the book that an order fills from, and of the mark price that it is compared with. */
const BOOK_MAX_AGE_MS = 1_000
const MARK_MAX_AGE_MS = 60_000
/** Markets of one question. */
const COINS_MAX = 500

type Relay = Pick<Context, 'relay'>

/** A market with its book as it was read for an order. */
export interface PaperScene extends PaperMarket {
  readonly marketId: string
  /** Time of the book, by the venue's clock. */
  readonly bookAt: Date
}

/**
 * Reads market and book for a paper order, before its transaction. Refuses a market that the venue does not have; rejects
 * with an outage if the relay cannot answer in time or its weight is spent.
 */
export async function readPaperScene({ relay }: Relay, marketId: string): Promise<PaperScene> {
  const coin = coinOf(marketId)
  if (coin === null) return unknownMarket(marketId)
  const [markets, book] = await Promise.allSettled([
    relay.readVenueMarkets({ coins: [coin], max_age_ms: MARK_MAX_AGE_MS }),
    relay.readVenueBook({ coin, max_age_ms: BOOK_MAX_AGE_MS }),
  ])
  if (markets.status === 'rejected') throw markets.reason
  const market = markets.value.items.find((one) => one.coin === coin)
  if (market === undefined) return unknownMarket(marketId)
  if (book.status === 'rejected') throw book.reason
  const { bids, asks, at } = book.value
  return { ...marketOf(market), marketId, depth: { bids, asks }, bookAt: new Date(at) }
}

const unknownMarket = (marketId: string): never =>
  refuse(paperRejected, 'The venue has no such market.', {
    reason: 'unknown_market',
    limit: null,
    attempted: marketId.slice(0, 60),
  })

const marketOf = (market: VenueMarketView) => ({
  coin: market.coin,
  markPrice: market.mark_price,
  maxLeverage: market.max_leverage,
  sizeDecimals: market.size_decimals,
  listed: market.listed,
  takerFee: takerFeeOf(market.coin),
})

/** Reads markets with their prices; one that the venue does not have is left out. */
export async function readVenueMarks(
  { relay }: Relay,
  coins: readonly string[],
  maxAgeMs = MARK_MAX_AGE_MS,
): Promise<readonly VenueMarketView[]> {
  const found: VenueMarketView[] = []
  for (let at = 0; at < coins.length; at += COINS_MAX) {
    const asked = { coins: coins.slice(at, at + COINS_MAX), max_age_ms: maxAgeMs }
    const { items } = await relay.readVenueMarkets(asked)
    found.push(...items)
  }
  return found
}

/** Reads the book of a market; null if it cannot be read. */
export async function readDepth({ relay }: Relay, coin: string): Promise<Book | null> {
  try {
    const { bids, asks } = await relay.readVenueBook({ coin, max_age_ms: BOOK_MAX_AGE_MS })
    return { bids, asks }
  } catch (error) {
    if (error instanceof RemoteRefusal || isOutage(error)) return null
    throw error
  }
}
