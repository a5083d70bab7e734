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

/** A pair, or a way over bitcoin, that says how many dollars a currency is worth. The lowest rank is preferred. */
interface Source {
  readonly rate: number
  readonly rank: number
}

const RANK = { tether: 0, otherDollar: 1, bitcoin: 2 } as const
/** Sources that agree lie this close to their median. */
const AGREE = 0.05

/** Returns the preferred one of the sources that agree with their median; the rate over bitcoin if none does. */
function agreed(sources: readonly Source[]): number | undefined {
  const rates = sources.map(({ rate }) => rate).toSorted((a, b) => a - b)
  const middle = Math.floor(rates.length / 2)
  const upper = rates[middle]
  if (upper === undefined) return undefined
  const median = rates.length % 2 === 1 ? upper : (upper + (rates[middle - 1] ?? upper)) / 2
  const byRank = sources.toSorted((a, b) => a.rank - b.rank)
  const one =
    byRank.find(({ rate }) => Math.abs(rate / median - 1) <= AGREE) ??
    byRank.find(({ rank }) => rank === RANK.bitcoin) ??
    byRank[0]
  return one?.rate
}

/**
 * Returns the rates that follow from a venue's own pairs: dollars are 1, X/USDT is the rate of X, USDT/X its inverse. A
 * currency with several such pairs, or that bitcoin is quoted in, has the rate on which they agree: a single print of one
 * dollar coin moves the price of that coin alone. `btcUsd` is the price of bitcoin at another venue; null if unknown.
 * Unknown currencies are absent.
 */
export function usdRatesOf(quotes: Iterable<Quote>, btcUsd: number | null): Map<string, number> {
  const sources = new Map<string, Source[]>()
  const add = (currency: string, source: Source) => {
    const known = sources.get(currency)
    if (known === undefined) sources.set(currency, [source])
    else known.push(source)
  }
  const inBtc = new Map<string, number>()
  for (const quote of quotes) {
    const [base = '', currency = ''] = quote.symbol.split('/')
    const price = priceOf(quote)
    if (price === null || price <= 0) continue
    const rankOf = (dollar: string) => (dollar === 'USDT' ? RANK.tether : RANK.otherDollar)
    if (DOLLARS.has(currency) && !DOLLARS.has(base)) add(base, { rate: price, rank: rankOf(currency) })
    if (DOLLARS.has(base) && !DOLLARS.has(currency)) add(currency, { rate: 1 / price, rank: rankOf(base) })
    if (base === 'BTC' && !DOLLARS.has(currency)) inBtc.set(currency, price)
  }
  if (btcUsd !== null) add('BTC', { rate: btcUsd, rank: RANK.bitcoin })
  const bitcoin = agreed(sources.get('BTC') ?? [])
  if (bitcoin !== undefined)
    for (const [currency, price] of inBtc) add(currency, { rate: bitcoin / price, rank: RANK.bitcoin })
  const rates = new Map<string, number>()
  for (const [currency, known] of sources) {
    const rate = agreed(known)
    if (rate !== undefined) rates.set(currency, rate)
  }
  for (const dollar of DOLLARS) rates.set(dollar, 1)
  return rates
}
