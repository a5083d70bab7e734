import type { RowReader } from '@svc/contracts/market-data/answer-rows'
import type { Announcement, AnnouncementReader } from '@svc/contracts/market-data/venue-file'
import { readTitle } from './rules/announcement-titles.ts'
import { type AnnouncedByVenue, type Currencies, type Quote, type VenueAdapter } from './rules/venue.ts'
import {
  readBook,
  readBooks,
  readCandles,
  readHours,
  readMarkets,
  readQuotes,
  readTrades,
  readWallets,
} from './ccxt-answers.ts'
import { TIMES, timeIn } from './rules/venue-times.ts'
import { unasked } from './ccxt-client.ts'
import { readContracts } from './published-contracts.ts'
import { readNames } from './published-names.ts'
import { ccxtCalls, type CcxtCalls, type CcxtOptions } from './ccxt-calls.ts'

const MARKETS_MAX = 20_000
const TRADES_MAX = 1_000

/** Adds to an announcement what its title says, in ccxt's codes. */
function announced(
  one: Announcement,
  exchange: string,
  { source, titles, utcOffsetHours }: AnnouncementReader,
  codeOf: (ticker: string) => string,
): AnnouncedByVenue {
  const notice = readTitle(one.title, titles, { publishedAt: one.publishedAt, utcOffsetHours })
  const named = `${exchange} ${source}`
  if (notice === null) return { ...one, source: named, notice: null }
  const { meaning, bases, pairs, effectiveAt } = notice
  const symbols = pairs.map(([base, quote]) => `${codeOf(base)}/${codeOf(quote)}`)
  return { ...one, source: named, notice: { meaning, bases: bases.map(codeOf), symbols, effectiveAt } }
}

/** Returns the adapter of an exchange: ccxt behind the request budget, with every answer checked. */
export function ccxtVenue(options: CcxtOptions): VenueAdapter {
  const { exchange, file } = options
  const { books, cost } = file
  const calls = ccxtCalls(options)
  const { call, callListed, listedMarkets, checked } = calls
  return {
    exchange,
    source: options.source,
    booksPerCall: books.perCall,
    bookLevels: books.levels,
    deeperLevels: (books.deeper ?? []).map(({ levels }) => levels),
    listMarkets: async (ask) => {
      const { value, note } = await call(cost.markets, ask, async (client) => {
        await client.loadMarkets(true)
        return { listed: Object.values(client.markets ?? {}), precisionMode: client.precisionMode }
      })
      const { listed, precisionMode } = value
      return checked(
        note,
        (rows, now) => {
          const by = { member: file.status, precisionMode, now }
          const { markets, unread } = readMarkets(listed.slice(0, MARKETS_MAX), by, rows)
          if (markets.length === 0) throw new SyntaxError('the market list is empty')
          return { markets, unread, nameless: note.leftOut, venueTime: note.venueTime }
        },
        ({ markets }) => markets.length,
      )
    },
    currencies: async (ask) => {
      const lists = [file.contracts?.list, file.names?.list]
      const listed = lists.includes('markets') ? await listedMarkets() : {}
      const asked = file.wallets || lists.includes('currencies')
      const { value, note } = asked
        ? await call(cost.wallets, ask, (client) => client.fetchCurrencies())
        : { value: {}, note: unasked() }
      return checked(note, (rows) => currenciesOf(options, { markets: listed, currencies: value }, rows))
    },
    quotes: async (ask) => {
      const { value, note } = await callListed(cost.quotes, ask, async (client) => {
        const best = file.bestPrices === 'own_call' ? await client.fetchBidsAsks() : {}
        return [await client.fetchTickers(), best] as const
      })
      const read = (rows: RowReader, now: number) => {
        const [quotes, best] = value.map((raw) => readQuotes(raw, now, rows))
        return [...(quotes ?? new Map<string, Quote>()).values()].map((quote) => {
          const prices = best?.get(quote.symbol)
          return prices === undefined ? quote : { ...quote, bid: prices.bid, ask: prices.ask }
        })
      }
      return checked(note, read, (quotes) => quotes.length)
    },
    books: async (symbols, ask) => {
      if (symbols.length > books.perCall) throw new RangeError('more books than one call may ask for')
      const [only] = symbols
      if (only === undefined) return []
      const { value, note, stamp } = await callListed(cost.book, ask, async (client) => {
        if (books.many !== undefined) return books.many(client, symbols, books.levels)
        return [await client.fetchOrderBook(only, books.levels)]
      })
      return checked(note, (rows) => readBooks(value, stamp, rows))
    },
    deeperBook: async (symbol, levels, ask) => {
      const deeper = books.deeper?.find((one) => one.levels === levels)
      if (deeper === undefined) throw new RangeError(`${exchange} returns no books of ${levels} levels`)
      const { value, note, stamp } = await callListed(deeper.cost, ask, (client) =>
        books.many === undefined
          ? client.fetchOrderBook(symbol, levels)
          : books.many(client, [symbol], levels).then(([one]) => one),
      )
      return checked(note, () => readBook(value, stamp))
    },
    look: async (signal) => {
      const ask = { priority: 'rotation', signal, waitMs: 0 } as const
      await callListed(cost.book, ask, (client) => client.fetchOrderBook(client.symbols[0] ?? '', books.levels))
    },
    ...noticesOf(options, calls),
    ...pastOf(options, calls),
  }
}

/** Returns the calls that read what a venue says about its pairs. */
function noticesOf(
  { exchange, file }: CcxtOptions,
  { call, callListed, checked }: CcxtCalls,
): Pick<VenueAdapter, 'officialFlags' | 'announcements'> {
  const { cost } = file
  return {
    officialFlags: async (ask) => {
      const read = file.flags
      if (read === null) return null
      const { value, note } = await callListed(cost.flags, ask, async (client) => ({
        raw: await read.ask(client),
        client,
      }))
      return checked(note, (rows, now) => {
        const symbolOf = (id: string) => value.client.safeSymbol(id)
        const told = read.read(value.raw, { symbolOf, venueTime: note.venueTime, rows })
        const flags = told.map((one) => ({
          ...one,
          effectiveAt: timeIn(TIMES.planned, one.effectiveAt, now),
          source: `${exchange} ${one.source ?? read.source}`,
          publishedAt: null,
        }))
        return { flags, complete: note.leftOut + rows.leftOut === 0 }
      })
    },
    announcements: async (ask) => {
      const reader = file.announcements
      if (reader === undefined) return null
      const { value, note } = await call(reader.cost, ask, async (client) => ({
        raw: await reader.ask(client),
        client,
      }))
      const codeOf = (ticker: string) => value.client.safeCurrencyCode(ticker)
      return checked(note, (rows, now) =>
        reader.read(value.raw, rows).map((one) => {
          const publishedAt = timeIn(TIMES.past, one.publishedAt, now)
          return announced({ ...one, publishedAt }, exchange, reader, codeOf)
        }),
      )
    },
  }
}

/** Returns the calls that read the past of a pair. */
function pastOf(
  { file }: CcxtOptions,
  { callListed, checked }: CcxtCalls,
): Pick<VenueAdapter, 'trades' | 'candles' | 'hours'> {
  const { cost } = file
  return {
    trades: async (symbol, ask) => {
      const { value, note } = await callListed(cost.trades, ask, (client) =>
        client.fetchTrades(symbol, undefined, TRADES_MAX),
      )
      return checked(note, (rows, now) => readTrades(value, now, rows))
    },
    candles: async (symbol, ask, count = file.candles.max) => {
      const { value, note } = await callListed(cost.candles, ask, (client) =>
        client.fetchOHLCV(symbol, '1m', undefined, count),
      )
      return checked(note, (rows, now) => readCandles(value, now, rows))
    },
    hours: async (symbol, ask, count) => {
      const { value, note } = await callListed(cost.candles, ask, (client) =>
        client.fetchOHLCV(symbol, '1h', undefined, count),
      )
      return checked(note, (rows, now) => readHours(value, now, rows))
    },
  }
}

/** Reads what the file of a venue says to be published, from the list that has it. */
function currenciesOf(
  { exchange, file }: CcxtOptions,
  raw: Record<'markets' | 'currencies', unknown>,
  rows: RowReader,
): Currencies {
  const { contracts, names, wallets } = file
  return {
    wallets: wallets ? readWallets(raw.currencies, rows) : null,
    contracts: contracts === undefined ? null : readContracts(raw[contracts.list], exchange, contracts, rows),
    names: names === undefined ? null : readNames(raw[names.list], names, rows),
  }
}
