import { reviewed } from '#assets/rules/asset-claims.ts'
import { sameAssets } from '#assets/rules/asset-identity.ts'
import type { MarketObservation } from './crisis-market.ts'
import type { CandlePrices, OfficialWord } from './crisis-rules.ts'
import { leveragedBases } from '#assets/rules/leveraged.ts'
import { medianOf } from '#markets/rules/rolling-day.ts'
import { isDollar, quoteClassOf, usdRatesOf, type UsdRates } from '#markets/rules/usd-rates.ts'

interface Token {
  readonly instance_id: number
  readonly exchange: string
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly name: string | null
  readonly trading: 'trading' | 'halted'
  readonly trading_since: string
  readonly chain: string | null
  readonly address: string | null
}
interface Minute {
  readonly exchange: string
  readonly books_synthetic: boolean
  readonly instance_ids: readonly number[]
  readonly price: readonly (number | null)[]
  readonly spread_bps: readonly (number | null)[]
  readonly depth: readonly (number | null)[]
  /** Which depths are lower bounds; null for minutes without this information. */
  readonly truncated: readonly (boolean | null)[] | null
}
interface Flag extends OfficialWord {
  readonly instance_id: number
  readonly at: string
}

/** What is stored about a minute and the pairs. */
export interface MinuteFacts {
  readonly minutes: readonly Minute[]
  readonly tokens: readonly Token[]
  readonly flags: readonly Flag[]
  /** Trades of targets by instance. */
  readonly traded: ReadonlyMap<number, number>
  /** When the last market list of each exchange was accepted. */
  readonly listedAt: ReadonlyMap<string, string>
  /** Closes of candles by instance, in the quote currency. */
  readonly closes: ReadonlyMap<number, Closes>
}

/** Closes of consecutive one-minute candles in the quote currency; null before the first trade. */
export interface Closes {
  readonly firstMinute: number
  readonly tradedSinceMinute: number
  readonly close: readonly (number | null)[]
}

/** A minute as the rules judge it, and the pairs that trade but that their venues left out of it. */
export interface JudgedMinute {
  readonly observations: readonly MarketObservation[]
  readonly unseen: readonly Token[]
}

const MINUTE_MS = 60_000
/** Lists are read every five minutes. What a venue stated in an older list may no longer be so. */
const LIST_OLD_MS = 30 * MINUTE_MS
/** Tokens per step. */
const CHUNK = 1_000

/**
 * Joins the stored rows of a minute into the observations that the crisis rules judge. It has no other input, so judging
 * a minute again after a restart gives the same result. Leveraged products and delisted tokens are left out. A generator,
 * so that the caller can yield to the event loop between steps.
 */
export function* observationsOf(
  atMs: number,
  { minutes, tokens, flags, traded, listedAt, closes }: MinuteFacts,
): Generator<undefined, JudgedMinute> {
  const byId = new Map(tokens.map((token) => [token.instance_id, token]))
  const seen = new Map<
    number,
    { price: number | null; spread: number | null; depth: number | null; truncated: boolean; synthetic: boolean }
  >()
  for (const minute of minutes) {
    yield
    for (const [place, id] of minute.instance_ids.entries())
      seen.set(id, {
        price: minute.price[place] ?? null,
        spread: minute.spread_bps[place] ?? null,
        depth: minute.depth[place] ?? null,
        truncated: minute.truncated?.[place] ?? false,
        synthetic: minute.books_synthetic,
      })
  }
  const rates = yield* ratesOf(minutes, byId)
  const leveraged = new Map(
    [...Map.groupBy(tokens, (token) => token.exchange)].map(([exchange, listed]) => [
      exchange,
      leveragedBases(new Set(listed.map((token) => token.base))),
    ]),
  )
  const inForce = Map.groupBy(
    flags.filter((flag) => Date.parse(flag.at) < atMs + MINUTE_MS),
    (flag) => flag.instance_id,
  )
  const judgable = tokens.filter((token) => leveraged.get(token.exchange)?.has(token.base) !== true)
  const watched = judgable.filter((token) => seen.has(token.instance_id) || token.trading === 'halted')
  const priceUsd = (token: Token) => {
    const price = seen.get(token.instance_id)?.price ?? null
    const rate = rates.get(token.exchange)?.get(token.quote) ?? null
    return price === null || rate === null ? null : price * rate
  }
  const pegs = yield* pegsOf(minutes, byId)
  const candlePrices = candlePricesOf(tokens, closes, rates)
  const references = yield* referencesOf(watched, priceUsd)
  const isRecent = (time: string | undefined) => time !== undefined && atMs - Date.parse(time) <= LIST_OLD_MS
  const listed = new Set([...listedAt].filter(([, time]) => isRecent(time)).map(([exchange]) => exchange))
  const observe = (token: Token): MarketObservation => {
    const now = seen.get(token.instance_id)
    const own = inForce.get(token.instance_id) ?? []
    const stated = listed.has(token.exchange)
    return {
      id: String(token.instance_id),
      group: `${token.exchange} ${token.quote}`,
      atMs,
      priceUsd: priceUsd(token),
      candlePrices: candlePrices(token),
      book:
        now === undefined
          ? null
          : {
              depth2pctUsd: now.depth,
              depthIsLowerBound: now.truncated,
              spreadBps: now.spread,
              synthetic: now.synthetic,
            },
      // Tickers do not contain the trades of a minute; scans of a target do.
      trades: traded.get(token.instance_id) ?? null,
      halted: stated ? token.trading === 'halted' && Date.parse(token.trading_since) < atMs + MINUTE_MS : null,
      ...pegOf(token, pegs),
      referencePriceUsd: references.get(token.instance_id) ?? null,
      // A new flag counts at once: an announcement may come while the lists fail.
      flags: stated || own.some(({ at }) => isRecent(at)) ? own : null,
    }
  }
  const observations: MarketObservation[] = []
  for (let start = 0; start < watched.length; start += CHUNK) {
    yield
    for (const token of watched.slice(start, start + CHUNK)) observations.push(observe(token))
  }
  return { observations, unseen: unseenOf(judgable, minutes, seen) }
}

/** Returns the pairs that trade and that the answer of their venue left out. */
function unseenOf(
  tokens: readonly Token[],
  minutes: readonly Minute[],
  seen: { has(instanceId: number): boolean },
): readonly Token[] {
  const answered = new Set(minutes.map(({ exchange }) => exchange))
  return tokens.filter(
    ({ instance_id, exchange, trading }) => trading === 'trading' && answered.has(exchange) && !seen.has(instance_id),
  )
}

/**
 * Returns how the candles of a pair become prices in USD. A pair that is quoted in a coin takes the price of that coin in each minute
 * from the coin's own candles, and is unknown without them: with the rate of now it would not show how far the coin itself fell.
 */
function candlePricesOf(
  tokens: readonly Token[],
  closes: ReadonlyMap<number, Closes>,
  rates: ReadonlyMap<string, UsdRates>,
): (token: Token) => CandlePrices | null {
  if (closes.size === 0) return () => null
  // A coin has several pairs in dollars; one whose candles were read is of use.
  const inDollars = tokens.filter(({ quote }) => isDollar(quote))
  const byUse = inDollars.toSorted((a, b) => Number(closes.has(a.instance_id)) - Number(closes.has(b.instance_id)))
  const coins = new Map(byUse.map((token) => [`${token.exchange} ${token.base}`, token]))
  const rateOf = (exchange: string, currency: string) =>
    rates.get(exchange)?.get(currency) ?? (isDollar(currency) ? 1 : null)
  return ({ instance_id, exchange, quote }) => {
    const own = closes.get(instance_id)
    if (own === undefined) return null
    const coin = isDollar(quote) ? undefined : coins.get(`${exchange} ${quote}`)
    const rate = rateOf(exchange, coin?.quote ?? quote)
    const ofCoin = coin === undefined ? null : closes.get(coin.instance_id)
    if (rate === null || ofCoin === undefined) return null
    const inQuote = (minute: number) => (ofCoin === null ? 1 : (ofCoin.close[minute - ofCoin.firstMinute] ?? null))
    const priceUsd = own.close.map((close, place) => {
      const price = inQuote(own.firstMinute + place)
      return close === null || price === null ? null : close * price * rate
    })
    return { firstMinute: own.firstMinute, tradedSinceMinute: own.tradedSinceMinute, priceUsd }
  }
}

/** Returns rates by venue from its prices of the minute; the price of bitcoin may come from another venue. */
function* ratesOf(
  minutes: readonly Minute[],
  tokens: ReadonlyMap<number, Token>,
): Generator<undefined, Map<string, UsdRates>> {
  const quotesOf = (minute: Minute) =>
    minute.instance_ids.flatMap((id, place) => {
      const symbol = tokens.get(id)?.symbol
      const last = minute.price[place] ?? null
      return symbol === undefined || last === null
        ? []
        : [{ symbol, bid: null, ask: null, last, quoteVolume24h: null, change24hPct: null, at: null }]
    })
  let bitcoin: number | undefined
  for (const minute of minutes) {
    yield
    bitcoin ??= usdRatesOf(quotesOf(minute), null).get('BTC')
  }
  const rates = new Map<string, UsdRates>()
  for (const minute of minutes) {
    yield
    rates.set(minute.exchange, usdRatesOf(quotesOf(minute), bitcoin ?? null))
  }
  return rates
}

/** A dollar coin quoted in dollars is pegged by its price; in another currency if the way over bitcoin is known. */
function pegOf({ instance_id, base, quote }: Token, pegs: ReadonlyMap<number, number>) {
  const pegPriceUsd = pegs.get(instance_id)
  return pegPriceUsd === undefined
    ? { peggedToUsd: isDollar(base) && isDollar(quote) }
    : { peggedToUsd: true, pegPriceUsd }
}

/**
 * Returns the price in dollars of each dollar coin that is quoted in another state's currency, whose own rate follows from such
 * coins. It is compared with bitcoin in that currency and in each other dollar (the median of all venues), and with the other
 * dollar coins in that currency; the price nearest to one dollar counts, so that the coin that fell is reported and not the others.
 */
function* pegsOf(
  minutes: readonly Minute[],
  tokens: ReadonlyMap<number, Token>,
): Generator<undefined, Map<number, number>> {
  const bitcoins = new Map<string, number[]>()
  const groups: { readonly coins: (readonly [Token, number])[]; bitcoin: number | null }[] = []
  for (const { exchange, instance_ids, price } of minutes) {
    yield
    const ofVenue = new Map<string, (typeof groups)[number]>()
    for (const [place, id] of instance_ids.entries()) {
      const [token, now = null] = [tokens.get(id), price[place]]
      if (token?.exchange !== exchange || now === null || now <= 0) continue
      const { base, quote } = token
      if (base !== 'BTC' && !isDollar(base)) continue
      if (base === 'BTC' && isDollar(quote)) bitcoins.set(quote, [...(bitcoins.get(quote) ?? []), now])
      if (quoteClassOf(quote) !== 'fiat') continue
      const group = ofVenue.get(quote) ?? { coins: [], bitcoin: null }
      ofVenue.set(quote, group)
      if (base === 'BTC') group.bitcoin = now
      else group.coins.push([token, now])
    }
    groups.push(...ofVenue.values())
  }
  const inDollars = [...bitcoins].map(([dollar, prices]) => [dollar, medianOf(prices)] as const)
  const pegs = new Map<number, number>()
  for (const { coins, bitcoin } of groups)
    for (const [{ instance_id, base }, price] of coins) {
      if (bitcoin === null) continue
      const ways = inDollars.flatMap(([dollar, of]) => (dollar === base || of === null ? [] : (price / bitcoin) * of))
      if (ways.length === 0) continue
      const others = coins.flatMap(([other, ofOther]) => (other.base === base ? [] : price / ofOther))
      const nearest = (one: number, other: number) => (Math.abs(one - 1) < Math.abs(other - 1) ? one : other)
      pegs.set(instance_id, [...ways, ...others].reduce(nearest))
    }
  return pegs
}

/** Returns the median price of the same asset with the same quote at the other venues. */
function* referencesOf(
  tokens: readonly Token[],
  priceUsd: (token: Token) => number | null,
): Generator<undefined, Map<number, number>> {
  const instances = []
  for (const [place, token] of tokens.entries()) {
    if (place % CHUNK === 0) yield
    const { instance_id, exchange, base, quote, name, chain, address } = token
    const contracts = reviewed(chain, address)
    instances.push({ id: String(instance_id), exchange, base, quote, name, priceUsd: priceUsd(token), contracts })
  }
  yield
  const { groups } = sameAssets(instances)
  yield
  const references = new Map<number, number>()
  for (const { members } of groups)
    for (const member of members) {
      const others = members
        .filter((other) => other.exchange !== member.exchange)
        .flatMap((other) => other.priceUsd ?? [])
      const median = medianOf(others)
      if (median !== null) references.set(Number(member.id), median)
    }
  return references
}
