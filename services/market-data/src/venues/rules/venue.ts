import type { Venue } from '@svc/contracts/market-data/board'
import type { Wallets } from './transfers.ts'

/** A market as a venue lists it, trading or not. */
export interface ListedMarket {
  /** BASE/QUOTE in ccxt's unified form. */
  readonly symbol: string
  readonly base: string
  readonly quote: string
  /** Name of the base asset; null when the venue gives none. */
  readonly name: string | null
  /** False for an explicit status of the venue that forbids trading. */
  readonly trading: boolean
  /** The venue's own word for the status; null when it gives none. */
  readonly status: string | null
  /** Listing time in milliseconds; null when the venue gives none. */
  readonly listedAt: number | null
  /** Taker fee as a fraction; null when unknown. */
  readonly takerFee: number | null
  /** Smallest step of an amount in base; null when unknown. */
  readonly amountStep: number | null
  /** Smallest order in quote; null when unknown. */
  readonly costMin: number | null
}

/** What a venue's market list said, and when the venue itself says it was made. */
export interface MarketList {
  readonly markets: readonly ListedMarket[]
  /** The venue's clock, milliseconds; null when the answer carries none. */
  readonly venueTime: number | null
}

/** Best prices and turnover of one pair. Null is unknown. */
export interface Quote {
  readonly symbol: string
  readonly bid: number | null
  readonly ask: number | null
  readonly last: number | null
  /** In the quote currency. */
  readonly quoteVolume24h: number | null
  readonly change24hPct: number | null
  /** The venue's time of the quote, milliseconds. */
  readonly at: number | null
}

/** One side of a book: price and base amount, best first. */
export type Side = readonly (readonly [price: number, amount: number])[]

/** An order book as it was read. */
export interface Book {
  readonly symbol: string
  readonly bids: Side
  readonly asks: Side
  /** The venue's time of the book, milliseconds; null when it gives none. */
  readonly at: number | null
  /** The venue's clock when it answered, milliseconds; null when the answer carries none. */
  readonly venueTime: number | null
  /** Our time when the answer was complete, and how long it took, milliseconds. */
  readonly receivedAt: number
  readonly latencyMs: number
  /** Made up by a replay of prices: no rule may judge it. */
  readonly synthetic: boolean
  /** Levels a side that were asked for. */
  readonly limit: number
}

/** A public trade. */
export interface Trade {
  readonly at: number
  readonly price: number
  readonly amount: number
  readonly side: 'buy' | 'sell' | null
  readonly id: string | null
}

/** A one-minute candle, volume in base. */
export interface Candle {
  readonly at: number
  readonly close: number
  readonly volume: number
}

/** What a venue officially says of a pair. `symbol` is unified. */
export interface OfficialFlag {
  readonly symbol: string
  readonly flag: string
  readonly meaning: 'caution' | 'warning' | 'margin_delisting' | 'delisting_announced'
  readonly effectiveAt: number | null
}

/** Who waits for an answer: the scans of targets, the board's rotation, or what only fills up history. */
export type Priority = 'priority' | 'rotation' | 'backfill'

export interface Ask {
  readonly priority: Priority
  readonly signal: AbortSignal
}

/**
 * One exchange, read only. Every method takes its cost from the venue's request budget first and rejects with
 * `VenueError`, whatever goes wrong; nothing that a venue answers can raise another error.
 */
export interface VenueAdapter {
  readonly exchange: Venue
  readonly source: 'live' | 'replay'
  /** Pairs of one `books` call that cost one request. */
  readonly booksPerCall: number
  listMarkets(ask: Ask): Promise<MarketList>
  /** Null where the venue publishes none. */
  officialFlags(ask: Ask): Promise<readonly OfficialFlag[] | null>
  /** Null where the venue tells its wallets to account holders only. */
  wallets(ask: Ask): Promise<Wallets | null>
  /** All pairs in one or two calls. */
  quotes(ask: Ask): Promise<readonly Quote[]>
  /** At most `booksPerCall` pairs; those the venue did not answer are left out. */
  books(symbols: readonly string[], ask: Ask): Promise<readonly Book[]>
  trades(symbol: string, ask: Ask): Promise<readonly Trade[]>
  /** The last `count` minutes, by default as many as the venue gives in one call, oldest first; minutes without a trade may be absent. */
  candles(symbol: string, ask: Ask, count?: number): Promise<readonly Candle[]>
}

/** Classes of failure that are counted; none of them is evidence about a token. */
export type VenueErrorClass =
  | 'timeout'
  | 'network'
  | 'rate_limited'
  | 'budget'
  | 'server_error'
  | 'refused'
  | 'bad_answer'
  | 'short_list'
  | 'stale'

/** A call to a venue failed, or its answer cannot be believed. */
export class VenueError extends Error {
  override readonly name = 'VenueError'
  readonly exchange: Venue
  readonly kind: VenueErrorClass
  /** Milliseconds until another try makes sense; 0 when unknown. */
  readonly retryMs: number
  constructor(exchange: Venue, kind: VenueErrorClass, detail: string, retryMs = 0, options?: ErrorOptions) {
    super(`${exchange}: ${kind}: ${detail.slice(0, 200)}`, options)
    this.exchange = exchange
    this.kind = kind
    this.retryMs = retryMs
  }
}
