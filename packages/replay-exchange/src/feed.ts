/** Minute in milliseconds: the resolution of every feed. */
export const MINUTE = 60_000

/** An asset, as opposed to its ticker: two assets may carry the same ticker. */
export interface Token {
  /** Stable id of the asset within the data set. */
  readonly id: string
  readonly ticker: string
  readonly name: string
  readonly koreanName: string
  /** CAIP-2 chain of the contract; null for a native asset of a chain, or if unknown. */
  readonly chain: string | null
  /** Contract address; null if and only if `chain` is null. */
  readonly address: string | null
}

/** A pair at a venue. If its symbol is listed again for another token, that is another market. */
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

/** `ended` markets are delisted, although some venues continue to list them. */
export type MarketStatus = 'trading' | 'halted' | 'ended'

/** Official warning of the venue about a market. */
export type Warning = 'none' | 'caution' | 'delisting'

/** A market and its state at an instant. */
export interface Listing {
  readonly market: Market
  readonly status: MarketStatus
  readonly warning: Warning
  /** Announced end of trading, milliseconds; null if no end is announced. */
  readonly endsAt: number | null
  /** When the venue published its warning, milliseconds; absent without one, or if the data set does not have it. */
  readonly warnedAt?: number
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
  /** Trades `from` … `from + count - 1` of the minute, within half a second and on one side; null without a burst. */
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

/** Shape of a market's book: full spread, and notional in quote and price levels within 2 % of the mid on each side. */
export interface Liquidity {
  readonly spreadBps: number
  readonly depthQuote: number
  readonly levels: number
}

/** An event of a token or a market at a known time, for tests. */
export interface FeedEvent {
  readonly at: number
  readonly kind: 'listed' | 'caution' | 'announced' | 'ended' | 'removed' | 'crash' | 'halt'
  readonly venue: string
  readonly symbol: string
  readonly tokenId: string
}

/** Source of all answers of the venues, as a function of simulated time: equal times give equal answers. */
export interface Feed {
  readonly dataset: string
  /** Origin of order books: `synthesised` around a recorded price with a constant shape, or `simulated`. */
  readonly books: 'synthesised' | 'simulated'
  readonly venues: readonly string[]
  /** Begin and end of a recording; null for a feed without bounds. */
  readonly startsAt: number | null
  readonly endsAt: number | null
  /** Assets that exist at a time. */
  readonly tokens: (at: number) => readonly Token[]
  /** Markets that the venue lists in the minute of `at`, in a stable order. */
  readonly listings: (venue: string, at: number) => readonly Listing[]
  /** The minute that begins at `minute * MINUTE`; null without data. */
  readonly candle: (market: Market, minute: number) => Candle | null
  /** The 1,440 minutes before `minute`; null without data. */
  readonly day: (market: Market, minute: number) => DayStats | null
  readonly liquidity: (market: Market, at: number) => Liquidity
  /** Events with `from ≤ at < to`, in time order, at most `limit`. */
  readonly events: (from: number, to: number, limit: number) => readonly FeedEvent[]
}
