import type { Announcement, OfficialFlag } from '@svc/contracts/market-data/venue-file'
import type { Wallets } from './transfers.ts'

/** A market as a venue lists it, trading or not. */
export interface ListedMarket {
  /** BASE/QUOTE in ccxt's unified form. */
  readonly symbol: string
  readonly base: string
  readonly quote: string
  /** Name of the base asset; null if the venue states none. */
  readonly name: string | null
  /** False if an explicit status of the venue forbids trading. */
  readonly trading: boolean
  /** Status in the words of the venue; null if it states none. */
  readonly status: string | null
  /** Listing time in milliseconds; null if the venue states none. */
  readonly listedAt: number | null
  /** Taker fee as a fraction; null when unknown. */
  readonly takerFee: number | null
  /** Smallest step of an amount in base; null when unknown. */
  readonly amountStep: number | null
  /** Smallest order in quote; null when unknown. */
  readonly costMin: number | null
}

/** A venue's market list and the time at which the venue made it. */
export interface MarketList {
  readonly markets: readonly ListedMarket[]
  /** Symbols of pairs that are listed, but whose row cannot be read: no evidence about them. */
  readonly unread: readonly string[]
  /** Rows that were left out without a symbol: any pair that is absent may be one of them. */
  readonly nameless: number
  /** The venue's clock, milliseconds; null if the answer has no time. */
  readonly venueTime: number | null
}

/** A contract that a venue publishes of a currency. */
export interface PublishedContract {
  /** The chain as the venue calls it; null if it names none. */
  readonly chain: string | null
  readonly address: string
  /** The venue and its endpoint. */
  readonly source: string
}

/** Names that a venue states of a currency; null if it states none. */
export interface PublishedName {
  readonly name: string | null
  readonly nameKo: string | null
}

/** What a venue publishes of its currencies, by their codes. Null is not published. */
export interface Currencies {
  readonly wallets: Wallets | null
  readonly contracts: ReadonlyMap<string, readonly PublishedContract[]> | null
  readonly names: ReadonlyMap<string, PublishedName> | null
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
  /** The venue's time of the book, milliseconds; null if it states none. */
  readonly at: number | null
  /** The venue's clock when it answered, milliseconds; null if the answer has no time. */
  readonly venueTime: number | null
  /** Our time when the answer was complete, and the duration of the call, milliseconds. */
  readonly receivedAt: number
  readonly latencyMs: number
  /** Synthesised by a replay of prices: no rule may judge it. */
  readonly synthetic: boolean
  /** A side with at least this many levels may have been cut, also by a venue that returns fewer than requested. */
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

/** A candle of an hour, volume in base. */
export interface HourCandle extends Candle {
  readonly high: number
  readonly low: number
}

/** An official warning with where it was read, and when the venue published it; null if it states no time. */
export interface SourcedFlag extends OfficialFlag {
  readonly source: string
  readonly publishedAt: number | null
}

/** The official warnings of a venue. */
export interface OfficialFlags {
  readonly flags: readonly SourcedFlag[]
  /** False if rows of the answer were left out, so that a warning that is absent may still stand. */
  readonly complete: boolean
}

/** An announcement, and what its title says in the codes of the market list; null if that is not certain. */
export interface AnnouncedByVenue extends Announcement {
  readonly source: string
  readonly notice: {
    readonly meaning: 'warning' | 'delisting_announced'
    readonly bases: readonly string[]
    readonly symbols: readonly string[]
    readonly effectiveAt: number | null
  } | null
}

/** Priority of a call: scans of targets, then reads for the board, then history. */
export type Priority = 'priority' | 'rotation' | 'backfill'

export interface Ask {
  readonly priority: Priority
  readonly signal: AbortSignal
  /** Longest wait for the allowance; without it, that of the priority. */
  readonly waitMs?: number
}

/**
 * One exchange, read only. Every method first takes its cost from the venue's request budget. It rejects with `VenueError`
 * only, whatever the venue answers.
 */
export interface VenueAdapter {
  readonly exchange: string
  readonly source: 'live' | 'replay'
  /** Most pairs of one `books` call. */
  readonly booksPerCall: number
  /** Levels of a book of `books`, and the sizes of deeper books, least first; empty if the venue returns none. */
  readonly bookLevels: number
  readonly deeperLevels: readonly number[]
  /** Asks for one book, whose answer shows that the venue answers. */
  look(signal: AbortSignal): Promise<void>
  listMarkets(ask: Ask): Promise<MarketList>
  /** Returns null if the venue publishes no flags. */
  officialFlags(ask: Ask): Promise<OfficialFlags | null>
  /** Returns the newest announcements; null if the venue publishes none without a key. */
  announcements(ask: Ask): Promise<readonly AnnouncedByVenue[] | null>
  /** Returns what the venue publishes of its currencies without a key; the market list must have been read before. */
  currencies(ask: Ask): Promise<Currencies>
  /** Returns the quotes of all pairs, in one or two calls. */
  quotes(ask: Ask): Promise<readonly Quote[]>
  /** Returns the books of at most `booksPerCall` pairs; books that the venue did not return are absent. */
  books(symbols: readonly string[], ask: Ask): Promise<readonly Book[]>
  /** Returns the book of a pair with one of `deeperLevels`. */
  deeperBook(symbol: string, levels: number, ask: Ask): Promise<Book>
  trades(symbol: string, ask: Ask): Promise<readonly Trade[]>
  /** Returns the last `count` minutes (default: the venue's maximum per call), oldest first. Minutes without a trade may be absent. */
  candles(symbol: string, ask: Ask, count?: number): Promise<readonly Candle[]>
  /** Returns the last `count` hours, oldest first, the hour under way among them. Hours without a trade may be absent. */
  hours(symbol: string, ask: Ask, count: number): Promise<readonly HourCandle[]>
}

/** Counted classes of failure. No failure is evidence about a token. A `bad_row` is a row that was left out of an answer. */
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
  | 'bad_row'

/** A failed call to a venue, or an answer that cannot be trusted. */
export class VenueError extends Error {
  override readonly name = 'VenueError'
  readonly exchange: string
  readonly kind: VenueErrorClass
  /** Milliseconds until a retry makes sense; 0 if unknown. */
  readonly retryMs: number
  constructor(exchange: string, kind: VenueErrorClass, detail: string, retryMs = 0, options?: ErrorOptions) {
    super(`${exchange}: ${kind}: ${detail.slice(0, 200)}`, options)
    this.exchange = exchange
    this.kind = kind
    this.retryMs = retryMs
  }
}
