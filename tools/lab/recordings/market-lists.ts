import { join } from 'node:path'
import { z } from 'zod'
import { zstdLines } from './zstd-lines.ts'

/** A market as a venue listed it when it was recorded. */
export interface RecordedMarket {
  readonly exchange: string
  readonly base: string
  readonly quote: string
  /** The venue's English name of the base asset, where it publishes one. */
  readonly name: string | null
}

const httpEvent = z.object({ t: z.literal('http'), url: z.string(), data: z.string() })
const text = z.string()
const market = (exchange: string) => (base: string, quote: string, name: string | null) => ({
  exchange,
  base,
  quote,
  name,
})

/** Where each venue keeps base, quote and name, after the name of its file. */
const formats: readonly {
  readonly file: string
  readonly url: string
  readonly read: (body: unknown) => readonly RecordedMarket[]
}[] = [
  {
    file: 'BINANCE.jsonl.zst',
    url: 'exchangeInfo',
    read: (body) =>
      z
        .object({ symbols: z.array(z.object({ baseAsset: text, quoteAsset: text })) })
        .parse(body)
        .symbols.map(({ baseAsset, quoteAsset }) => market('binance')(baseAsset, quoteAsset, null)),
  },
  {
    file: 'GATEIO.jsonl.zst',
    url: 'currency_pairs',
    read: (body) =>
      z
        .array(z.object({ base: text, quote: text }))
        .parse(body)
        .map(({ base, quote }) => market('gate')(base, quote, null)),
  },
  {
    file: 'KUCOIN.jsonl.zst',
    url: 'v1/symbols',
    read: (body) =>
      z
        .object({ data: z.array(z.object({ baseCurrency: text, quoteCurrency: text })) })
        .parse(body)
        .data.map(({ baseCurrency, quoteCurrency }) => market('kucoin')(baseCurrency, quoteCurrency, null)),
  },
  {
    file: 'UPBIT.jsonl.zst',
    url: 'market/all',
    read: (body) =>
      z
        .array(z.object({ market: text, english_name: text }))
        .parse(body)
        .map(({ market: id, english_name }) => {
          const [quote = '', base = ''] = id.split('-')
          return market('upbit')(base, quote, english_name)
        }),
  },
  {
    file: 'COINBASE.jsonl.zst',
    url: 'market/products',
    read: (body) =>
      z
        .object({ products: z.array(z.object({ base_currency_id: text, quote_currency_id: text, base_name: text })) })
        .parse(body)
        .products.map((row) => market('coinbase')(row.base_currency_id, row.quote_currency_id, row.base_name)),
  },
  {
    file: 'POLONIEX.jsonl.zst',
    url: '/markets',
    read: (body) =>
      z
        .array(z.object({ baseCurrencyName: text, quoteCurrencyName: text }))
        .parse(body)
        .map((row) => market('poloniex')(row.baseCurrencyName, row.quoteCurrencyName, null)),
  },
  {
    file: 'v2-PROBIT.0.zst',
    url: 'v1/market',
    read: (body) =>
      z
        .object({ data: z.array(z.object({ base_currency_id: text, quote_currency_id: text })) })
        .parse(body)
        .data.map((row) => market('probit')(row.base_currency_id, row.quote_currency_id, null)),
  },
  {
    file: 'v2-BITTREX.0.zst',
    url: 'v3/markets',
    read: (body) =>
      z
        .array(z.object({ baseCurrencySymbol: text, quoteCurrencySymbol: text }))
        .parse(body)
        .map((row) => market('bittrex')(row.baseCurrencySymbol, row.quoteCurrencySymbol, null)),
  },
]

/** Reads the recorded market lists of eight venues, of 2021 to 2026. */
export function readMarketLists(replayDir: string): RecordedMarket[] {
  return formats.flatMap(({ file, url, read }) => {
    for (const line of zstdLines(join(replayDir, 'cryptofeed', file))) {
      const body = line.startsWith('{') ? bodyOfEvent(line, url) : bodyOfLine(line, url)
      if (body !== null) return read(JSON.parse(body))
    }
    throw new Error(`${file} holds no answer of ${url}`)
  })
}

/** Returns the base assets that traded against USDT at Binance's spot market on 10 April 2023. */
export function recordedSpot2023(replayDir: string): ReadonlySet<string> {
  const shape = z.object({
    symbols: z.array(z.object({ baseAsset: text, quoteAsset: text, status: text })),
  })
  for (const line of zstdLines(join(replayDir, 'cryptofeed/v2-BINANCE_TR.0.zst'))) {
    const body = bodyOfLine(line, 'exchangeInfo')
    if (body === null) continue
    const { symbols } = shape.parse(JSON.parse(body))
    return new Set(
      symbols.flatMap(({ baseAsset, quoteAsset, status }) =>
        quoteAsset === 'USDT' && status === 'TRADING' ? [baseAsset] : [],
      ),
    )
  }
  throw new Error('v2-BINANCE_TR.0.zst holds no exchangeInfo')
}

function bodyOfEvent(line: string, url: string): string | null {
  const event = httpEvent.safeParse(JSON.parse(line))
  return event.success && event.data.url.includes(url) ? event.data.data : null
}

/** Returns the body of a line `URL -> time: body`, as the older recordings write it; null for another address. */
function bodyOfLine(line: string, url: string): string | null {
  const [, address = '', body = null] = /^(\S+) -> [\d.]+: (.*)$/.exec(line) ?? []
  return address.includes(url) ? body : null
}
