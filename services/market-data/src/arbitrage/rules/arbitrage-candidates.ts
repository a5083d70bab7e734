import type { SameAsset } from '#assets/rules/asset-identity.ts'

/** Best prices of an instance and its taker fee; null is unknown. */
export interface Ticker {
  readonly symbol: string
  readonly bid: number | null
  readonly ask: number | null
  readonly takerFee: number | null
}

/** The largest difference of a group: where to buy and where to sell, by best prices. */
export interface TickerEdge {
  readonly group: SameAsset
  readonly buy: { readonly exchange: string; readonly symbol: string; readonly ask: number }
  readonly sell: { readonly exchange: string; readonly symbol: string; readonly bid: number }
  readonly spreadBps: number
  /** After both fees; null if a fee is unknown. */
  readonly netBps: number | null
}

/** Tickers are older than books: a difference that misses a profit by this much may have become profitable. */
const NEAR_BPS = -10

/**
 * Returns the largest difference of each group by best prices, largest first. Both prices must be of different venues.
 */
export function tickerEdges(
  groups: readonly SameAsset[],
  tickerOf: (instanceId: string) => Ticker | undefined,
): TickerEdge[] {
  return groups.flatMap((group) => widestOf(group, tickerOf) ?? []).toSorted((a, b) => b.spreadBps - a.spreadBps)
}

type Placed = Ticker & { readonly exchange: string }

/** Compares all pairs of venues without keeping them: a hundred venues have ten thousand. */
function widestOf(group: SameAsset, tickerOf: (instanceId: string) => Ticker | undefined): TickerEdge | null {
  const tickers = group.members.flatMap(({ id, exchange }): Placed[] => {
    const ticker = tickerOf(id)
    return ticker === undefined ? [] : [{ exchange, ...ticker }]
  })
  let widest: TickerEdge | null = null
  for (const buy of tickers)
    for (const sell of tickers) {
      const { ask } = buy
      const { bid } = sell
      if (ask === null || bid === null || buy.exchange === sell.exchange) continue
      const spreadBps = (bid / ask - 1) * 10_000
      if (widest !== null && spreadBps <= widest.spreadBps) continue
      widest = {
        group,
        buy: { exchange: buy.exchange, symbol: buy.symbol, ask },
        sell: { exchange: sell.exchange, symbol: sell.symbol, bid },
        spreadBps,
        netBps: netOf(buy.takerFee, sell.takerFee, bid, ask),
      }
    }
  return widest
}

const netOf = (buyFee: number | null, sellFee: number | null, bid: number, ask: number): number | null =>
  buyFee === null || sellFee === null ? null : ((bid * (1 - sellFee)) / (ask * (1 + buyFee)) - 1) * 10_000

/** Returns the edges whose books are worth reading, best first. */
export function bookCandidates(edges: readonly TickerEdge[], max: number): TickerEdge[] {
  return edges
    .filter(({ netBps }) => netBps !== null && netBps >= NEAR_BPS)
    .toSorted((a, b) => (b.netBps ?? 0) - (a.netBps ?? 0))
    .slice(0, max)
}
