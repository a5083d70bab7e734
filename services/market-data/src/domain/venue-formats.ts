import { z } from 'zod'

/** A pair as a venue lists it. */
export interface Listed {
  readonly base: string
  readonly quote: string
  /** Name of the base asset; null when the venue gives none. */
  readonly name: string | null
}

/** How the recorded market list of a venue is read. */
export interface VenueFormat {
  /** Exchange id (ccxt's). */
  readonly exchange: string
  /** Capture file in the replay folder. */
  readonly capture: string
  /** Part of the address of the recorded answer. */
  readonly url: string
  /** Pairs that trade; throws when the body has another shape. */
  readonly read: (body: unknown) => Listed[]
}

const text = z.string()
const listed = (base: string, quote: string, name: string | null = null): Listed => ({
  base: base.toUpperCase(),
  quote: quote.toUpperCase(),
  name,
})

const binanceBody = z.object({ symbols: z.array(z.object({ status: text, baseAsset: text, quoteAsset: text })) })
const readBinance = (body: unknown) =>
  binanceBody
    .parse(body)
    .symbols.filter((one) => one.status === 'TRADING')
    .map((one) => listed(one.baseAsset, one.quoteAsset))

const gateBody = z.array(z.object({ base: text, quote: text, trade_status: text }))
const kucoinBody = z.object({
  data: z.array(z.object({ baseCurrency: text, quoteCurrency: text, enableTrading: z.boolean() })),
})
const upbitBody = z.array(z.object({ market: text.regex(/^[^-]+-[^-]+$/), english_name: text }))
const okxBody = z.object({ data: z.array(z.object({ baseCcy: text, quoteCcy: text, state: text })) })
const bitgetBody = z.object({ data: z.array(z.object({ baseCoin: text, quoteCoin: text, status: text })) })
const htxBody = z.object({ data: z.array(z.object({ 'base-currency': text, 'quote-currency': text, state: text })) })
const poloniexBody = z.array(z.object({ baseCurrencyName: text, quoteCurrencyName: text, state: text }))
const cryptocomBody = z.object({
  result: z.object({ instruments: z.array(z.object({ base_currency: text, quote_currency: text })) }),
})

/** Venues whose pairs can be read from recordings. */
export const venueFormats: readonly VenueFormat[] = [
  { exchange: 'binance', capture: 'BINANCE.jsonl.zst', url: '/api/v3/exchangeInfo', read: readBinance },
  { exchange: 'binanceus', capture: 'BINANCE_US.jsonl.zst', url: '/api/v3/exchangeInfo', read: readBinance },
  {
    exchange: 'gate',
    capture: 'GATEIO.jsonl.zst',
    url: '/api/v4/spot/currency_pairs',
    read: (body) =>
      gateBody
        .parse(body)
        .filter((one) => one.trade_status === 'tradable')
        .map((one) => listed(one.base, one.quote)),
  },
  {
    exchange: 'kucoin',
    capture: 'KUCOIN.jsonl.zst',
    url: '/api/v1/symbols',
    read: (body) =>
      kucoinBody
        .parse(body)
        .data.filter((one) => one.enableTrading)
        .map((one) => listed(one.baseCurrency, one.quoteCurrency)),
  },
  {
    exchange: 'upbit',
    capture: 'UPBIT.jsonl.zst',
    url: '/v1/market/all',
    read: (body) =>
      upbitBody.parse(body).map((one) => {
        const [quote = '', base = ''] = one.market.split('-')
        return listed(base, quote, one.english_name)
      }),
  },
  {
    exchange: 'okx',
    capture: 'OKX.jsonl.zst',
    url: '/api/v5/public/instruments?instType=SPOT',
    read: (body) =>
      okxBody
        .parse(body)
        .data.filter((one) => one.state === 'live')
        .map((one) => listed(one.baseCcy, one.quoteCcy)),
  },
  {
    exchange: 'bitget',
    capture: 'BITGET.jsonl.zst',
    url: '/api/spot/v1/public/products',
    read: (body) =>
      bitgetBody
        .parse(body)
        .data.filter((one) => one.status === 'online')
        .map((one) => listed(one.baseCoin, one.quoteCoin)),
  },
  {
    exchange: 'htx',
    capture: 'HUOBI.jsonl.zst',
    url: '/v1/common/symbols',
    read: (body) =>
      htxBody
        .parse(body)
        .data.filter((one) => one.state === 'online')
        .map((one) => listed(one['base-currency'], one['quote-currency'])),
  },
  {
    exchange: 'poloniex',
    capture: 'POLONIEX.jsonl.zst',
    url: '/markets',
    read: (body) =>
      poloniexBody
        .parse(body)
        .filter((one) => one.state === 'NORMAL')
        .map((one) => listed(one.baseCurrencyName, one.quoteCurrencyName)),
  },
  {
    exchange: 'cryptocom',
    capture: 'CRYPTO.COM.jsonl.zst',
    url: '/public/get-instruments',
    read: (body) =>
      cryptocomBody.parse(body).result.instruments.map((one) => listed(one.base_currency, one.quote_currency)),
  },
]
