import { MINUTE, type Candle, type DayStats, type Feed, type Listing, type Market } from '../feed.ts'
import { normal, uniform } from '../hash.ts'
import { usualLevels } from '../usual-liquidity.ts'
import { dayActivity, hourFactor, minuteActivity } from './activity.ts'
import { DAY, haltOf } from './life.ts'
import { eventsOf, marketOf, pairIndexOf, standingOf } from './listings.ts'
import type { Pair } from './pairs.ts'
import { basisOf, createPrices } from './prices.ts'
import type { Slot } from './slots.ts'
import type { World } from './world.ts'

const QUIET_MINUTES_MAX = 240
const FADE_MS = 60 * DAY

/** Prices, activity and state of the pairs of a world at an instant. */
interface Pulse {
  pairOf(market: Market): Pair
  /** Returns the market of a pair at a time; the same object for the same listing. */
  marketAt(pair: Pair, at: number): Market
  quoteUsd(quote: string, minute: number): number
  /** Price of a pair in its quote currency. */
  fair(pair: Pair, minute: number): number
  /** Activity relative to an ordinary day: more in a crash, less in the weeks before the end, 0 in a halt. */
  levelAt(pair: Pair, market: Market, minute: number): number
  readonly prices: ReturnType<typeof createPrices>
}

/** 1 in ordinary times, falling to 0.25 in the weeks before a pair ends. */
const fadingAt = (endsAt: number | null, at: number) =>
  endsAt === null ? 1 : 0.25 + 0.75 * Math.min(1, Math.max(0, endsAt - at) / FADE_MS)

function pulseOf(world: World): Pulse {
  const { seed, slots, pairs } = world
  const level = (slot: Slot, minute: number) => world.priceOf(slot, world.generationOf(slot, minute * MINUTE))
  const prices = createPrices(seed, slots, level, world.chances.crash)
  const quotes = new Map(pairs.map(({ quote }) => [quote, world.quoteOf(quote)]))
  const quoteUsd = (quote: string, minute: number): number => {
    const own = quotes.get(quote) ?? 1
    if (typeof own === 'number') return own
    return minute === 0 ? own.priceUsd : prices.at(own, minute)
  }
  const markets = new Map<number, Market>()
  return {
    prices,
    quoteUsd,
    pairOf: (market) => {
      const pair = pairs[pairIndexOf(market)]
      if (!pair) throw new RangeError('the market belongs to another feed')
      return pair
    },
    marketAt: (pair, at) => {
      const { generation, listedAt } = world.lifeOf(pair, at)
      const known = markets.get(pair.index)
      if (known?.listedAt === listedAt) return known
      const market = marketOf(world, pair, generation, listedAt, quoteUsd(pair.quote, 0))
      markets.set(pair.index, market)
      return market
    },
    fair: (pair, minute) =>
      (prices.at(pair.slot, minute) / quoteUsd(pair.quote, minute)) *
      Math.exp(basisOf(world, pair.index, minute, pair.spreadBps) + world.showcase.gapOf(pair, minute)),
    levelAt: (pair, market, minute) => {
      const at = minute * MINUTE
      const { endsAt, listedAt } = world.lifeOf(pair, at)
      if (listedAt !== market.listedAt || (endsAt !== null && at >= endsAt)) return 0
      const halt = haltOf(world, pair.slot, pair.venue, at)
      if (halt !== null && at >= halt.from && at < halt.to) return 0
      return fadingAt(endsAt, at) * (1 + 7 * prices.stress(pair.slot, minute))
    },
  }
}

function candleIn({ seed }: World, { pairOf, fair, levelAt, quoteUsd }: Pulse) {
  /** Returns the minute of the last trade at or before a minute, within `QUIET_MINUTES_MAX`. */
  const lastTraded = (pair: Pair, market: Market, minute: number): number => {
    const oldest = minute - QUIET_MINUTES_MAX
    for (let at = minute; at > oldest; at -= 1) {
      const level = levelAt(pair, market, at)
      if (level > 0 && minuteActivity(seed, pair, at, level).trades > 0) return at
    }
    return oldest
  }
  return (market: Market, minute: number): Candle | null => {
    if (minute * MINUTE < market.listedAt) return null
    const pair = pairOf(market)
    const { trades, notionalUsd, burst } = minuteActivity(seed, pair, minute, levelAt(pair, market, minute))
    const onTick = (price: number) => Number(price.toFixed(market.priceDecimals))
    if (trades === 0) {
      const close = onTick(fair(pair, lastTraded(pair, market, minute - 1) + 1))
      return { open: close, high: close, low: close, close, volume: 0, quoteVolume: 0, trades, takerBuyQuote: 0, burst }
    }
    const close = onTick(fair(pair, minute + 1))
    const open = trades === 1 ? close : onTick(fair(pair, minute))
    const range = trades < 3 ? 0 : pair.slot.volatility * 0.02
    const high = onTick(Math.max(open, close) * (1 + range * uniform(seed, pair.index, minute, 90)))
    const low = onTick(Math.min(open, close) * (1 - range * uniform(seed, pair.index, minute, 91)))
    const quoteVolume = notionalUsd / quoteUsd(pair.quote, minute)
    const bias = close > open ? 0.08 : close < open ? -0.08 : 0
    const share = Math.min(1, Math.max(0, 0.5 + bias + 0.15 * normal(seed, pair.index, minute)))
    const volume = quoteVolume / ((open + close) / 2)
    return { open, high, low, close, volume, quoteVolume, trades, takerBuyQuote: quoteVolume * share, burst }
  }
}

function dayIn({ seed }: World, { pairOf, fair, levelAt, quoteUsd, prices }: Pulse) {
  return (market: Market, minute: number): DayStats | null => {
    const pair = pairOf(market)
    const first = Math.max(minute - 1_440, Math.ceil(market.listedAt / MINUTE))
    if (first >= minute) return null
    const level = levelAt(pair, market, minute)
    let hours = 0
    let high = 0
    let low = Number.POSITIVE_INFINITY
    const lastHour = Math.floor(minute / 60)
    for (let hour = Math.floor(first / 60) + 1; hour <= lastHour; hour += 1) {
      hours += hourFactor(seed, pair, hour)
      const price = prices.atHour(pair.slot, hour)
      high = Math.max(high, price)
      low = Math.min(low, price)
    }
    const usd = quoteUsd(pair.quote, minute)
    const open = fair(pair, first)
    const { trades, notionalUsd } = dayActivity(pair)
    const quoteVolume = ((notionalUsd * hours) / 24 / usd) * level
    return {
      open,
      high: Math.max(open, high / usd),
      low: Math.min(open, low / usd),
      volume: quoteVolume / fair(pair, minute),
      quoteVolume,
      trades: Math.round(((trades * hours) / 24) * level),
    }
  }
}

/** Returns a world as a feed: a function of time that caches only a few prices per slot. */
export function worldFeed(world: World): Feed {
  const { seed, venues, pairs } = world
  const byVenue = new Map(venues.map((id) => [id, pairs.filter((pair) => pair.venue === id)]))
  const pulse = pulseOf(world)
  return {
    dataset: world.dataset,
    books: 'simulated',
    venues,
    startsAt: world.startsAt,
    endsAt: world.endsAt,
    tokens: world.tokens,
    listings: (venue, at) => {
      const listed: Listing[] = []
      for (const pair of byVenue.get(venue) ?? []) {
        const listing = standingOf(world, pair, pulse.marketAt(pair, at), at)
        if (listing !== null) listed.push(listing)
      }
      return listed
    },
    candle: candleIn(world, pulse),
    day: dayIn(world, pulse),
    liquidity: (market, at) => {
      const pair = pulse.pairOf(market)
      const minute = Math.floor(at / MINUTE)
      const stress = pulse.prices.stress(pair.slot, minute)
      const fading = fadingAt(world.lifeOf(pair, at).endsAt, at)
      const breathing = Math.exp(0.15 * normal(seed, pair.index, Math.floor(minute / 5)))
      const depthUsd = pair.depthUsd * fading * breathing * (1 - 0.85 * stress)
      return {
        spreadBps: (pair.spreadBps * (1 + 6 * stress)) / (breathing * Math.sqrt(fading)),
        depthQuote: depthUsd / pulse.quoteUsd(pair.quote, minute),
        levels: usualLevels(depthUsd),
      }
    },
    events: (from, to, limit) =>
      pairs
        .flatMap((pair) => eventsOf(world, pair, from, to))
        .toSorted((a, b) => a.at - b.at || a.venue.localeCompare(b.venue) || a.symbol.localeCompare(b.symbol))
        .slice(0, limit),
  }
}
