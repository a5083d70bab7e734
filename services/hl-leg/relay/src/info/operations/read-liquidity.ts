import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { DEPTH_COINS_MAX, type LiquidityRow } from '@svc/contracts/hl-relay/info'
import type { BoundHandler } from '@svc/service'
import type { Terms } from '#cache/venue-answers.ts'
import { envelope, oldestOf } from '#cache/envelope.ts'
import type { Context } from '#context.ts'
import { dexOf } from '@svc/venue/rules/market-id'
import { middleOf } from '@svc/venue/rules/prices'
import { readBook, type RelayedBook } from '#markets/read-book.ts'
import { findMarkets, refuseCoins } from '#markets/read-market.ts'
import { readDexMarkets } from '#markets/read-markets.ts'
import { impactBps, spreadBps } from '#markets/rules/liquidity.ts'
import type { RelayedMarket } from '#markets/rules/market-of.ts'

/** Prices of a whole dex cost ten times as much as a book. */
const PRICES: Terms = { by: 'visitors', maxAgeMs: 15_000 }
const BOOKS: Terms = { by: 'visitors', maxAgeMs: 5_000 }

export const readLiquidity: BoundHandler<Context, typeof hlRelay.operations.readLiquidity> =
  (context) => async (input) => {
    // Before anything is read for them: an unknown name costs nothing.
    const { coins, unknown } = await knownCoins(context, [...new Set(input.coins.split(','))])
    const dexes = [...new Set(coins.map(dexOf))]
    const withDepth = coins.length <= DEPTH_COINS_MAX
    const [prices, books] = await Promise.all([
      Promise.all(dexes.map((dex) => readDexMarkets(context, PRICES, dex))),
      Promise.all(withDepth ? coins.map((coin) => readBook(context, BOOKS, coin)) : []),
    ])
    const known = prices.filter((one) => one !== null)
    const markets = new Map(known.flatMap(({ items }) => items).map((market) => [market.coin, market]))
    const rows = coins.map((coin, place) => rowOf(markets.get(coin) ?? refuseCoins([coin]), books[place] ?? null))
    const [first = { at: context.clock.now(), stale: false }, ...others] = known
    const times = books.map(({ readAt, stale }) => ({ at: readAt, stale }))
    return ok(200, { ...envelope(context, oldestOf(first, ...others, ...times), rows), unknown_coins: unknown })
  }

/** Returns the names that the venue has, and the others. Refuses if it has none of them. */
async function knownCoins(context: Context, names: readonly string[]) {
  const found = await findMarkets(context, names)
  const coins = names.filter((name) => found.has(name))
  if (coins.length === 0) refuseCoins(names)
  return { coins, unknown: names.filter((name) => !found.has(name)) }
}

function rowOf(market: RelayedMarket, book: RelayedBook | null): LiquidityRow {
  const [bid, ask] = [book?.bids[0]?.price ?? null, book?.asks[0]?.price ?? null]
  const mid = book === null ? market.middle : middleOf(bid, ask)
  const { impact, middle } = market
  return {
    coin: market.coin,
    mid,
    mark: market.mark,
    spread_bps: spreadBps(bid, ask, mid),
    impact_buy_bps: impactBps('buy', impact?.buy ?? null, middle),
    impact_sell_bps: impactBps('sell', impact?.sell ?? null, middle),
    volume_24h_usd: market.volumeUsd,
    open_interest_usd: market.openInterestUsd,
    depth: book === null ? null : { bids: [...book.bids], asks: [...book.asks] },
  }
}
