import { VenueError, type Quote, type VenueAdapter } from './rules/venue.ts'
import { readBook, readCandles, readMarket, readQuotes, readTrades, readWallets } from './ccxt-answers.ts'
import { ccxtCalls, type CcxtOptions } from './ccxt-calls.ts'
import { manyBooks } from './many-books.ts'
import { officialFlags } from './official-flags.ts'
import { venueLimits } from './venue-limits.ts'

const MARKETS_MAX = 20_000
const TRADES_MAX = 1_000

/** Returns the adapter of an exchange: ccxt behind the request budget, with every answer checked. */
export function ccxtVenue(options: CcxtOptions): VenueAdapter {
  const { exchange } = options
  const limits = venueLimits[exchange]
  const { call, callListed, checked } = ccxtCalls(options)
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
      return checked(() => read.read(value.raw, (id) => value.client.safeSymbol(id), note.venueTime))
    },
    wallets: async (ask) => {
      if (!limits.walletsPublic) return null
      const { value } = await call(limits.cost.flags, ask, (client) => client.fetchCurrencies())
      return checked(() => readWallets(value))
    },
    quotes: async (ask) => {
      const { value } = await callListed(limits.cost.quotes, ask, async (client) => {
        const best = exchange === 'binance' || exchange === 'mexc' ? await client.fetchBidsAsks() : {}
        return [await client.fetchTickers(), best] as const
      })
      return checked(() => {
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
      if (only === undefined) return []
      const { value, stamp } = await callListed(limits.cost.book, ask, async (client) => {
        const many = manyBooks[exchange]
        if (many !== undefined) return many(client, symbols, limits.bookLevels)
        return [await client.fetchOrderBook(only, limits.bookLevels)]
      })
      return checked(() => value.map((raw) => readBook(raw, stamp)))
    },
    trades: async (symbol, ask) => {
      const { value } = await callListed(limits.cost.trades, ask, (client) =>
        client.fetchTrades(symbol, undefined, TRADES_MAX),
      )
      return checked(() => readTrades(value))
    },
    candles: async (symbol, ask, count = limits.candles) => {
      const { value } = await callListed(limits.cost.candles, ask, (client) =>
        client.fetchOHLCV(symbol, '1m', undefined, count),
      )
      return checked(() => readCandles(value))
    },
  }
}
