import type { VenueMarketView } from '@svc/contracts/hl-relay/markets'
import type { Context } from '#context.ts'

/** Oldest price by which the runner decides. */
const PRICE_MAX_AGE_MS = 10_000
/** Markets of one question. */
const COINS_MAX = 500

const coinOf = (market: string): string => market.replace(/^hl:/, '')

/** Returns markets of the venue with prices of the last seconds, by market id. Rejects with an outage. */
export async function readPrices(
  { ask }: Pick<Context, 'ask'>,
  marketIds: readonly string[],
  maxAgeMs: number = PRICE_MAX_AGE_MS,
): Promise<ReadonlyMap<string, VenueMarketView>> {
  const coins = [...new Set(marketIds)].map(coinOf).slice(0, COINS_MAX)
  if (coins.length === 0) return new Map()
  const { items } = await ask.relay.readVenueMarkets({ coins, max_age_ms: maxAgeMs })
  return new Map(items.map((market) => [market.market_id, market]))
}

/** Returns the book of a market, a few seconds old at most. Rejects with an outage. */
export const readBook = ({ ask }: Pick<Context, 'ask'>, marketId: string) =>
  ask.relay.readVenueBook({ coin: coinOf(marketId), max_age_ms: 5_000 })
