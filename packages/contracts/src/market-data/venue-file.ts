import type { RowReader } from './answer-rows.ts'

/** Requests that a venue admits from one address in a window of time, in the venue's own units. */
export interface Pool {
  readonly units: number
  readonly windowMs: number
}

/** Units that a call takes from the pool `main`, or from a named one. */
export type Cost = number | { readonly pool: string; readonly units: number }

/** Calls of a venue that take from its request budget. */
export type CallKind = 'markets' | 'quotes' | 'book' | 'trades' | 'candles' | 'flags' | 'wallets'

/** The part of a ccxt client that a file of a venue may use. */
export interface EndpointClient {
  fetchOrderBooks(symbols: readonly string[], limit: number): Promise<unknown>
  /** Reads a page of the venue's own website that answers with JSON. */
  readPage(address: string): Promise<unknown>
  /** Methods of single endpoints, such as `publicGetMarketAll`. */
  readonly [endpoint: string]: unknown
}

/** An official warning of a venue about a pair. `symbol` is in ccxt's unified form. */
export interface OfficialFlag {
  readonly symbol: string
  readonly flag: string
  readonly meaning: 'caution' | 'warning' | 'margin_delisting' | 'delisting_announced'
  readonly effectiveAt: number | null
  /** The endpoint, if it is another than the reader's. */
  readonly source?: string
}

/** An announcement as a venue publishes it. */
export interface Announcement {
  readonly id: string
  readonly title: string
  readonly url: string | null
  readonly publishedAt: number | null
}

/**
 * A form of titles that names assets. Groups of the pattern: `list`, the assets or pairs; `date` (`YYYY-MM-DD`) or `day`
 * (`M/D`, of the venue's time zone), when it takes effect, if the title says so.
 */
export interface TitleForm {
  readonly pattern: RegExp
  readonly meaning: 'warning' | 'delisting_announced'
}

/** Requests and reads the announcements of a venue that are published without a key. */
export interface AnnouncementReader {
  /** The endpoint, which answers name as the source. */
  readonly source: string
  /** False if only the venue's website uses it. */
  readonly documented: boolean
  readonly cost: Cost
  ask(client: EndpointClient): Promise<unknown>
  read(raw: unknown, rows: RowReader): Announcement[]
  /** Forms of titles; a title that fits none is stored and says nothing about an asset. */
  readonly titles: readonly TitleForm[]
  /** Hours that the venue's time zone is ahead of UTC. */
  readonly utcOffsetHours: number
}

/** What a reader of official warnings is given besides the answer. */
export interface FlagsAt {
  /** Returns ccxt's symbol of a pair by the venue's id. */
  symbolOf(id: string): string
  /** The venue's clock, milliseconds; null if the answer has no time. */
  readonly venueTime: number | null
  readonly rows: RowReader
}

/** Requests and reads the official warnings of a venue, which ccxt's unified market list drops. */
export interface FlagReader {
  /** The endpoint, which answers name as the source. */
  readonly source: string
  /** Further endpoints that it reads. */
  readonly others?: readonly string[]
  ask(client: EndpointClient): Promise<unknown>
  read(raw: unknown, at: FlagsAt): OfficialFlag[]
}

/** Reads the books of many pairs in one request and returns them in ccxt's unified form. */
export type ManyBooks = (
  client: EndpointClient,
  symbols: readonly string[],
  limit: number,
) => Promise<readonly unknown[]>

/** How a venue says that its request limit was exceeded, besides the statuses 418 and 429. */
export interface LimitForms {
  /** Statuses that mean it, each with the documented wait in milliseconds; null if none is documented. */
  readonly statuses?: Readonly<Record<number, number | null>>
  /** The member of the body with the code, and the codes that mean it, each with the documented wait. */
  readonly codes?: { readonly member: string; readonly waits: Readonly<Record<string, number | null>> }
  /** The member of the body whose text names the end of a ban, and the pattern with its milliseconds as the first group. */
  readonly until?: { readonly member: string; readonly pattern: RegExp }
  /** Header with the end of the wait, read if the answer has no Retry-After. */
  readonly reset?: { readonly header: string; readonly unit: 'milliseconds' | 'at_milliseconds' | 'at_seconds' }
}

/** The limits that a venue's documentation states, to compare the pools with. */
export interface PublishedLimits {
  readonly page: string
  /** Date of the page (`YYYY-MM-DD`); null if it has none. */
  readonly dated: string | null
  /** The published limit of each pool of one address; null for a pool that is not documented. */
  readonly pools: Readonly<Record<string, Pool | null>>
  /** Of what the limit is: of all calls together, or of a part of them. */
  readonly of: 'address' | 'group' | 'endpoint'
  readonly endpoints: Readonly<Partial<Record<CallKind, string>>>
}

/**
 * Everything the product knows about a venue: the only place that names it. Its file in `venues/` is named as the venue's
 * id and exports it as `venue`. Without ccxt's own throttle the pools are the only limit of its calls.
 */
export interface VenueFile {
  /** Class of ccxt that speaks to it. */
  readonly ccxt: string
  /** `board`: read for the board. `breadth`: only its market list is read, as evidence of how widely an asset is listed. */
  readonly use: 'board' | 'breadth'
  /** Four fifths of the published limits; the rest covers the units that may be used at once. */
  readonly pools: { readonly main: Pool; readonly [name: string]: Pool }
  readonly cost: Readonly<Record<CallKind, Cost>>
  /** What the venue's documentation says of its limits; required of a venue that is read for the board. */
  readonly published?: PublishedLimits
  readonly limited?: LimitForms
  readonly books: {
    /** Levels per side of a book call. */
    readonly levels: number
    readonly perCall: number
    /** Reads more than one book; required if `perCall` is above 1. */
    readonly many?: ManyBooks
    /** Deeper books of one pair and their costs, least levels first. */
    readonly deeper?: readonly { readonly levels: number; readonly cost: Cost }[]
  }
  readonly candles: {
    /** Most candles of one call. */
    readonly max: number
    /** Whether minutes without a trade have a candle. */
    readonly fillsGaps: boolean
  }
  /** Whether best prices are members of the tickers, or are read by a call of their own. */
  readonly bestPrices: 'in_tickers' | 'own_call'
  /** Member of a market that states whether the pair trades; null if the venue lists trading pairs only. */
  readonly status: string | null
  /** Whether wallet states are published without a key. */
  readonly wallets: boolean
  /** Where contracts of currencies are published without a key; absent if nowhere. */
  readonly contracts?: {
    /** The endpoint, which answers name as the source. */
    readonly source: string
    /** The list that ccxt reads from this endpoint: of currencies with their networks, or of markets with their base. */
    readonly list: 'currencies' | 'markets'
    /** Members of the venue's own row: the chain (null if the venue names none) and the address. */
    readonly chain: string | null
    readonly address: string
  }
  /** Where names of currencies are published without a key; absent if nowhere. */
  readonly names?: {
    /** The list of ccxt whose rows have them. */
    readonly list: 'currencies' | 'markets'
    /** Members of the venue's own row: the name in Latin letters and the Korean one; null if the venue states none. */
    readonly en: string | null
    readonly ko: string | null
  }
  /** Why its market list counts as evidence: authorisations that it states itself. ADR 32 freezes who has this member. */
  readonly regulated?: { readonly name: string; readonly states: string }
  /** Reader of official warnings that are published without a key; null if the venue publishes none. */
  readonly flags: FlagReader | null
  /** Reader of announcements; absent if the venue publishes none without a key. */
  readonly announcements?: AnnouncementReader
}

/** Cost of every call of a venue that counts requests. */
export const oneEach: VenueFile['cost'] = {
  markets: 1,
  quotes: 1,
  book: 1,
  trades: 1,
  candles: 1,
  flags: 1,
  wallets: 1,
}

/** Returns the pool of a cost and the units that it takes. */
export const partsOf = (cost: Cost): { readonly pool: string; readonly units: number } =>
  typeof cost === 'number' ? { pool: 'main', units: cost } : cost

/** Members of a venue of which only the market list is read. */
export const listsOnly = {
  use: 'breadth',
  cost: oneEach,
  books: { levels: 1, perCall: 1 },
  candles: { max: 1, fillsGaps: false },
  bestPrices: 'in_tickers',
  wallets: false,
  flags: null,
} as const satisfies Partial<VenueFile>

/** Calls one endpoint of a client by its name. Throws `TypeError` if this version of ccxt does not have it. */
export function endpoint(client: EndpointClient, name: string, params: object): Promise<unknown> {
  const method = client[name]
  if (typeof method !== 'function') throw new TypeError(`ccxt has no ${name}`)
  return Promise.resolve(Reflect.apply(method, client, [params]))
}

/** Returns an official warning. */
export function flag(
  symbol: string,
  word: string,
  meaning: OfficialFlag['meaning'],
  effectiveAt: number | null = null,
): OfficialFlag {
  return { symbol, flag: word.slice(0, 100), meaning, effectiveAt }
}
