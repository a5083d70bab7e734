/** Minute in milliseconds: the resolution of every feed. */
export const MINUTE = 60_000

/** An asset, as opposed to its ticker: two assets may carry the same ticker. */
export interface Token {
  /** Stable id of the asset within the data set. */
  readonly id: string
  readonly ticker: string
  readonly name: string
  readonly koreanName: string
  /** CAIP-2 chain of the contract; null for an asset that has its own chain, or when unknown. */
  readonly chain: string | null
  /** Contract address; null exactly when `chain` is null. */
  readonly address: string | null
}

/** A pair at a venue. The same symbol listed anew for another token is another market. */
export interface Market {
  /** Index within the feed, stable for the feed's life. */
  readonly key: number
  readonly venue: string
  readonly base: string
  readonly quote: string
  readonly token: Token
  readonly priceDecimals: number
  readonly amountDecimals: number
  /** Milliseconds since the epoch. */
  readonly listedAt: number
}

/** `trading`; `halted` for a while; `ended`: delisted, though some venues go on listing it. */
export type MarketStatus = 'trading' | 'halted' | 'ended'

/** What the venue says officially about a market: nothing, that it is watched, or that it will go. */
export type Warning = 'none' | 'caution' | 'delisting'

/** A market and its standing at an instant. */
export interface Listing {
  readonly market: Market
  readonly status: MarketStatus
  readonly warning: Warning
  /** When trading ends or ended, as announced; null while nothing is announced. Milliseconds. */
  readonly endsAt: number | null
}

/** One minute of a market. Prices in quote per base; `volume` in base, `quoteVolume` and `takerBuyQuote` in quote. */
export interface Candle {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly quoteVolume: number
  readonly trades: number
  readonly takerBuyQuote: number
  /** Trades `from` … `from + count - 1` of the minute came within half a second and on one side. */
  readonly burst: { readonly from: number; readonly count: number } | null
}

/** Sums of the 24 hours that end with a minute. */
export interface DayStats {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly volume: number
  readonly quoteVolume: number
  readonly trades: number
}

/** Shape of a market's book: full spread, and notional resting within 2 % of the mid on each side, in quote. */
export interface Liquidity {
  readonly spreadBps: number
  readonly depthQuote: number
}

/** Something that happens to a token or a market at a known time, for tests that need to be there. */
export interface FeedEvent {
  readonly at: number
  readonly kind: 'listed' | 'caution' | 'announced' | 'ended' | 'removed' | 'crash' | 'halt'
  readonly venue: string
  readonly symbol: string
  readonly tokenId: string
}

/** Source of everything that the venues say, as a function of simulated time: the same time gives the same answer. */
export interface Feed {
  readonly dataset: string
  /** How order books come about: `synthesised` around a recorded price with a constant shape, or `simulated`. */
  readonly books: 'synthesised' | 'simulated'
  readonly venues: readonly string[]
  /** Where a recording begins and ends; null for a feed without bounds. */
  readonly startsAt: number | null
  readonly endsAt: number | null
  /** Assets that exist at a time. */
  readonly tokens: (at: number) => readonly Token[]
  /** Markets that the venue lists in the minute of `at`, in a stable order. */
  readonly listings: (venue: string, at: number) => readonly Listing[]
  /** The minute that begins at `minute * MINUTE`; null where there is no data. */
  readonly candle: (market: Market, minute: number) => Candle | null
  /** The 1,440 minutes before `minute`; null where there is no data. */
  readonly day: (market: Market, minute: number) => DayStats | null
  readonly liquidity: (market: Market, at: number) => Liquidity
  /** Events with `from ≤ at < to`, in time order, at most `limit`. */
  readonly events: (from: number, to: number, limit: number) => readonly FeedEvent[]
}
