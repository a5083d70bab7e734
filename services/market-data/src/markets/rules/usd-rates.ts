import type { Quote } from '#venues/rules/venue.ts'

/** Currencies that count as one dollar. A depeg raises a crisis alert and does not change every price on the board. */
const DOLLARS = new Set(['USD', 'USDT', 'USDC', 'BUSD', 'FDUSD', 'TUSD', 'USDP', 'DAI', 'USD1', 'PYUSD', 'USDE'])
const FIATS = new Set([
  'KRW',
  'EUR',
  'TRY',
  'GBP',
  'BRL',
  'AUD',
  'JPY',
  'RUB',
  'UAH',
  'ZAR',
  'PLN',
  'ARS',
  'MXN',
  'IDR',
  'NGN',
  'RON',
  'CZK',
])

/** Returns whether a currency counts as one dollar. */
export const isDollar = (currency: string): boolean => DOLLARS.has(currency)

/** Dollars for one unit of a currency, by currency. */
export type UsdRates = ReadonlyMap<string, number>

/** Returns the class of a quote currency. Peers of a pair have the same venue and class. */
export function quoteClassOf(quote: string): 'usd' | 'fiat' | 'crypto' {
  if (DOLLARS.has(quote)) return 'usd'
  return FIATS.has(quote) ? 'fiat' : 'crypto'
}

/** Returns the mid of the best prices of a quote, or else the last price; null if unknown. */
export function priceOf({ bid, ask, last }: Quote): number | null {
  return bid !== null && ask !== null ? (bid + ask) / 2 : last
}

/**
 * Returns the rates that follow from a venue's own pairs: dollars are 1, X/USDT is the rate of X, USDT/X its inverse. A
 * currency that is only quoted against BTC gets its rate through `btcUsd`, which may come from another venue. Unknown
 * currencies are absent.
 */
export function usdRatesOf(quotes: Iterable<Quote>, btcUsd: number | null): Map<string, number> {
  const rates = new Map<string, number>([...DOLLARS].map((currency) => [currency, 1]))
  const inBtc = new Map<string, number>()
  for (const quote of quotes) {
    const [base = '', currency = ''] = quote.symbol.split('/')
    const price = priceOf(quote)
    if (price === null || price <= 0) continue
    if (DOLLARS.has(currency) && !DOLLARS.has(base) && (currency === 'USDT' || !rates.has(base))) rates.set(base, price)
    if (DOLLARS.has(base) && !DOLLARS.has(currency)) rates.set(currency, 1 / price)
    if (base === 'BTC' && !DOLLARS.has(currency)) inBtc.set(currency, price)
  }
  const bitcoin = rates.get('BTC') ?? btcUsd
  if (bitcoin !== null)
    for (const [currency, price] of inBtc) if (!rates.has(currency)) rates.set(currency, bitcoin / price)
  return rates
}
