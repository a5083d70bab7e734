import type { FeedEvent, Listing, Market } from '../feed.ts'
import { CRASH_BLOCK, crashOf, haltOf } from './life.ts'
import type { Pair } from './pairs.ts'
import type { World } from './world.ts'

/** Digits after the point that give five significant ones; prices in dollars have at least cents. */
export function decimalsOf(price: number, quoteUsd: number): number {
  const cents = quoteUsd > 0.5 && quoteUsd < 2 ? 2 : 0
  return Math.min(12, Math.max(cents, 4 - Math.floor(Math.log10(price))))
}

const GENERATIONS = 512

/** The pair's market in a generation of its slot; `quoteUsd` is the usual value of its quote currency. */
export function marketOf(world: World, pair: Pair, generation: number, listedAt: number, quoteUsd: number): Market {
  const token = world.tokenOf(pair, generation)
  const priceUsd = world.priceOf(pair.slot, generation)
  return {
    key: pair.index * GENERATIONS + (generation % GENERATIONS),
    venue: pair.venue,
    base: token.ticker,
    quote: pair.quote,
    token,
    priceDecimals: decimalsOf(priceUsd / quoteUsd, quoteUsd),
    amountDecimals: Math.min(8, Math.max(0, Math.ceil(Math.log10(priceUsd)) + 3)),
    listedAt,
  }
}

/** The pair of a market, from its key. */
export function pairIndexOf(market: Market): number {
  return Math.floor(market.key / GENERATIONS)
}

/** How a pair stands at a time; null while the venue does not list it. */
export function standingOf(world: World, pair: Pair, market: Market, at: number): Listing | null {
  const life = world.lifeOf(pair, at)
  if (at < life.listedAt) return null
  const ended = life.endsAt !== null && at >= life.endsAt
  if (ended && life.removedAt !== null && at >= life.removedAt && !pair.keepsEnded) return null
  const announced = life.announcedAt !== null && at >= life.announcedAt
  const cautioned = life.cautionAt !== null && at >= life.cautionAt
  const halt = haltOf(world, pair.slot, pair.venue, at)
  const halted = halt !== null && at >= halt.from && at < halt.to
  return {
    market,
    status: ended ? 'ended' : halted ? 'halted' : 'trading',
    warning: announced ? 'delisting' : cautioned ? 'caution' : 'none',
    endsAt: announced ? life.endsAt : null,
    ...(announced ? warnedAt(life.announcedAt) : cautioned ? warnedAt(life.cautionAt) : {}),
  }
}

const warnedAt = (at: number | null) => (at === null ? {} : { warnedAt: at })

/** Events of a pair with `from ≤ at < to`; spans of more than a cycle are looked at in steps. */
export function eventsOf(world: World, pair: Pair, from: number, to: number): FeedEvent[] {
  const events: FeedEvent[] = []
  const add = (at: number | null, kind: FeedEvent['kind'], generation: number) => {
    if (at === null || at < from || at >= to) return
    const token = world.tokenOf(pair, generation)
    events.push({ at, kind, venue: pair.venue, symbol: `${token.ticker}/${pair.quote}`, tokenId: token.id })
  }
  for (let at = from; ;) {
    const life = world.lifeOf(pair, at)
    add(life.listedAt, 'listed', life.generation)
    add(life.cautionAt, 'caution', life.generation)
    add(life.announcedAt, 'announced', life.generation)
    add(life.endsAt, 'ended', life.generation)
    if (!pair.keepsEnded) add(life.removedAt, 'removed', life.generation)
    if (life.nextAt === null || life.nextAt >= to) break
    at = life.nextAt
  }
  const step = CRASH_BLOCK
  for (let block = Math.floor(from / step); block * step < to; block += 1) {
    const crash = crashOf(world.seed, pair.slot, block, world.chances.crash)
    if (crash) add(crash.at, 'crash', world.lifeOf(pair, crash.at).generation)
  }
  const halts = new Set<number>()
  for (let at = from; at < to; at += step) {
    const halt = haltOf(world, pair.slot, pair.venue, at)
    if (halt && !halts.has(halt.from)) {
      halts.add(halt.from)
      add(halt.from, 'halt', world.lifeOf(pair, halt.from).generation)
    }
  }
  return events
}
