import type { Venue } from '@svc/contracts/market-data/board'
import type { Clock } from '@svc/service'
import { ZodError } from 'zod'
import { VenueError, type Ask, type Book, type Quote, type VenueAdapter, type VenueErrorClass } from './rules/venue.ts'
import { readBook, readCandles, readMarket, readQuotes, readTrades, readWallets } from './ccxt-answers.ts'
import { ccxtClient, type AnswerNote, type CcxtClient, type NotedClient } from './ccxt-client.ts'
import { manyBooks } from './many-books.ts'
import { officialFlags } from './official-flags.ts'
import type { RequestBudget } from './request-budget.ts'
import { venueLimits } from './venue-limits.ts'

/** Longest wait for the allowance. A scan of a target waits for its turn; the rotation comes back by itself. */
export const BUDGET_WAIT_MS = { priority: 5_000, rotation: 500, backfill: 0 } as const
const MARKETS_MAX = 20_000
const TRADES_MAX = 1_000

/** ccxt's families of errors, most special first. */
const KINDS: readonly (readonly [name: string, kind: VenueErrorClass])[] = [
  ['RequestTimeout', 'timeout'],
  ['DDoSProtection', 'rate_limited'],
  ['RateLimitExceeded', 'rate_limited'],
  ['ExchangeNotAvailable', 'server_error'],
  ['NetworkError', 'network'],
  ['BadResponse', 'bad_answer'],
  ['BaseError', 'refused'],
]

function names(error: unknown): string[] {
  const found: string[] = []
  for (let proto: unknown = error; typeof proto === 'object' && proto !== null; proto = Object.getPrototypeOf(proto))
    found.push(String(Reflect.get(proto, 'constructor')?.name))
  return found
}

/** The class of anything that a call of ccxt throws. */
export function classify(error: unknown, note: AnswerNote | undefined): VenueErrorClass {
  if (note?.retryAfterMs !== null && note?.retryAfterMs !== undefined) return 'rate_limited'
  if (note?.status !== null && note?.status !== undefined && note.status >= 500) return 'server_error'
  // An answer with missing members makes ccxt's own parsers fail.
  if (error instanceof SyntaxError || error instanceof TypeError || error instanceof ZodError) return 'bad_answer'
  const family = names(error)
  return KINDS.find(([name]) => family.includes(name))?.[1] ?? 'bad_answer'
}

/** The adapter of every exchange: ccxt behind the request budget, its answers checked. */
export function ccxtVenue(options: {
  readonly exchange: Venue
  readonly baseUrl: string | null
  readonly source: 'live' | 'replay'
  readonly budget: RequestBudget
  readonly clock: Clock
  /** Longest wait for one answer. */
  readonly timeoutMs: number
}): VenueAdapter {
  const { exchange, baseUrl, budget, clock, timeoutMs } = options
  const limits = venueLimits[exchange]
  let opening: Promise<NotedClient> | null = null
  const open = () => (opening ??= ccxtClient(exchange, { baseUrl, timeoutMs, now: () => clock.now().getTime() }))

  const call = async <T>(
    cost: number,
    { priority, signal }: Ask,
    work: (client: CcxtClient) => Promise<T>,
  ): Promise<{ value: T; note: AnswerNote }> => {
    if (signal.aborted) throw new VenueError(exchange, 'budget', 'the caller has stopped')
    const { client, noted, noteOf } = await open()
    await budget.take(cost, priority, BUDGET_WAIT_MS[priority])
    try {
      return await noted(() => work(client))
    } catch (error) {
      const note = noteOf(error)
      const retryMs = note?.retryAfterMs ?? 0
      if (retryMs > 0) await budget.close(retryMs).catch(() => {})
      const detail = error instanceof Error ? error.message : 'unknown'
      throw error instanceof VenueError
        ? error
        : new VenueError(exchange, classify(error, note), detail, retryMs, { cause: error })
    }
  }

  /** A call that needs the market list, which ccxt translates symbols with; many at once load and pay for it once. */
  let listing: Promise<unknown> | null = null
  const callListed = async <T>(cost: number, ask: Ask, work: (client: CcxtClient) => Promise<T>) => {
    const { client } = await open()
    if (client.markets === undefined)
      await (listing ??= call(limits.cost.markets, ask, () => client.loadMarkets()).finally(() => (listing = null)))
    return call(cost, ask, work)
  }

  const oneBook = async (symbol: string, ask: Ask): Promise<Book> => {
    const started = performance.now()
    const { value, note } = await callListed(limits.cost.book, ask, (client) =>
      client.fetchOrderBook(symbol, limits.bookLevels),
    )
    return checked(exchange, () => readBook(value, stamp(note, started)))
  }
  const stamp = (note: AnswerNote, started: number) => ({
    venueTime: note.venueTime,
    synthetic: note.booksSynthetic,
    receivedAt: clock.now().getTime(),
    latencyMs: Math.round(performance.now() - started),
    limit: limits.bookLevels,
  })

  return {
    exchange,
    source: options.source,
    booksPerCall: limits.booksPerCall,
    listMarkets: async (ask) => {
      const { value, note } = await call(limits.cost.markets, ask, async (client) => {
        await client.loadMarkets(true)
        return Object.values(client.markets ?? {})
      })
      const markets = value.slice(0, MARKETS_MAX).flatMap((raw) => readMarket(raw, exchange) ?? [])
      if (markets.length === 0) throw new VenueError(exchange, 'bad_answer', 'the market list is empty')
      return { markets, venueTime: note.venueTime }
    },
    officialFlags: async (ask) => {
      const read = officialFlags[exchange]
      if (read === undefined) return null
      const { value, note } = await callListed(limits.cost.flags, ask, async (client) => ({
        raw: await read.ask(client),
        client,
      }))
      return checked(exchange, () => read.read(value.raw, (id) => value.client.safeSymbol(id), note.venueTime))
    },
    wallets: async (ask) => {
      if (!limits.walletsPublic) return null
      const { value } = await call(limits.cost.flags, ask, (client) => client.fetchCurrencies())
      return checked(exchange, () => readWallets(value))
    },
    quotes: async (ask) => {
      const { value } = await callListed(limits.cost.quotes, ask, async (client) => {
        const best = exchange === 'binance' || exchange === 'mexc' ? await client.fetchBidsAsks() : {}
        return [await client.fetchTickers(), best] as const
      })
      return checked(exchange, () => {
        const [quotes, best] = value.map((raw) => readQuotes(raw))
        return [...(quotes ?? new Map<string, Quote>()).values()].map((quote) => {
          const prices = best?.get(quote.symbol)
          return prices === undefined ? quote : { ...quote, bid: prices.bid, ask: prices.ask }
        })
      })
    },
    books: async (symbols, ask) => {
      if (symbols.length > limits.booksPerCall) throw new RangeError('more books than one call may ask for')
      const [only] = symbols
      const many = manyBooks[exchange]
      if (many === undefined) return only === undefined ? [] : [await oneBook(only, ask)]
      const started = performance.now()
      const { value, note } = await callListed(limits.cost.book, ask, (client) =>
        many(client, symbols, limits.bookLevels),
      )
      return checked(exchange, () => value.map((raw) => readBook(raw, stamp(note, started))))
    },
    trades: async (symbol, ask) => {
      const { value } = await callListed(limits.cost.trades, ask, (client) =>
        client.fetchTrades(symbol, undefined, TRADES_MAX),
      )
      return checked(exchange, () => readTrades(value))
    },
    candles: async (symbol, ask, count = limits.candles) => {
      const { value } = await callListed(limits.cost.candles, ask, (client) =>
        client.fetchOHLCV(symbol, '1m', undefined, count),
      )
      return checked(exchange, () => readCandles(value))
    },
  }
}

/** Reads an answer; whatever is wrong with it is a bad answer of the venue. */
function checked<T>(exchange: Venue, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new VenueError(exchange, 'bad_answer', error instanceof Error ? error.message : 'unreadable', 0, {
      cause: error,
    })
  }
}
