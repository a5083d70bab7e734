import { MINUTE, type Feed, type Token } from '../feed.ts'
import { uniform } from '../hash.ts'
import { USUAL_CHANCES, type Life } from '../synthetic/life.ts'
import { majors } from '../synthetic/names.ts'
import type { Pair } from '../synthetic/pairs.ts'
import { quoteValue } from '../synthetic/quotes.ts'
import { noShowcase } from '../synthetic/showcase.ts'
import { makeSlots, type Slot } from '../synthetic/slots.ts'
import { worldFeed } from '../synthetic/world-feed.ts'
import { usualLiquidity } from '../usual-liquidity.ts'
import { readDelistings } from './delistings.ts'
import { readMarketList, type Listed } from './market-lists.ts'

const SEED = 20_211_012
const startsAt = Date.UTC(2021, 9, 12, 0, 30)
/** When Binance's second list was recorded. */
const secondAt = Date.UTC(2023, 3, 10, 19, 13)
const endsAt = secondAt + 7 * 86_400_000
const shares: Readonly<Record<string, number>> = { binance: 0.45, gate: 0.1, kucoin: 0.1, upbit: 0.16 }
const mainQuotes = new Set(['USDT', 'KRW'])

interface Entry {
  readonly venue: string
  readonly listed: Listed
  readonly life: Life
}

/**
 * Recorded market lists of Binance, Gate, KuCoin and Upbit with synthetic prices: 4,600 real symbols with their quote
 * currencies, states and names. Binance's list of 2021-10-12 changes into the list of 2023-04-10: pairs with an announced
 * end disappear on that day, the others when the second list was recorded. No token has an address, so only tickers link venues.
 */
export async function openLists(replayDir: string): Promise<Feed> {
  const first = await readMarketList(replayDir, 'binance2021')
  const second = await readMarketList(replayDir, 'binance2023')
  const delistings = await readDelistings(replayDir)
  const lives = (endAt: number | null, announcedAt: number | null = null, listedAt = 0): Life => ({
    generation: 0,
    listedAt,
    cautionAt: null,
    announcedAt,
    endsAt: endAt,
    removedAt: null,
    nextAt: null,
  })
  const trades = new Map(second.map((one) => [`${one.base}/${one.quote}`, one.trading]))
  const known = new Set(first.map((one) => `${one.base}/${one.quote}`))
  const binance = first.map((listed): Entry => {
    if (!listed.trading) return { venue: 'binance', listed, life: lives(startsAt) }
    if (trades.get(`${listed.base}/${listed.quote}`) === true) return { venue: 'binance', listed, life: lives(null) }
    const end = delistings.get(listed.base)
    const life = end && end.endsAt < secondAt ? lives(end.endsAt, end.announcedAt) : lives(secondAt)
    return { venue: 'binance', listed, life }
  })
  const later = second.filter((one) => one.trading && !known.has(`${one.base}/${one.quote}`))
  const entries = [
    ...binance,
    ...later.map((listed) => ({ venue: 'binance', listed, life: lives(null, null, secondAt) })),
  ]
  for (const venue of ['gate', 'kucoin', 'upbit'] as const) {
    const list = await readMarketList(replayDir, venue)
    entries.push(...list.map((listed) => ({ venue, listed, life: lives(listed.trading ? null : startsAt) })))
  }
  return feedOf(entries)
}

function feedOf(entries: readonly Entry[]): Feed {
  const tickers = new Map(majors.map(([ticker], index) => [ticker, index]))
  for (const { listed } of entries) if (!tickers.has(listed.base)) tickers.set(listed.base, tickers.size)
  const slots: readonly Slot[] = makeSlots(SEED, tickers.size).map((slot) => ({
    ...slot,
    cycleDays: null,
    twinOf: null,
  }))
  const tokens = new Map<number, Token>()
  const pairs = entries.map(({ venue, listed }, index): Pair => {
    const slotIndex = tickers.get(listed.base) ?? 0
    const slot = slots[slotIndex]
    if (!slot) throw new RangeError('every ticker has a slot')
    if (!tokens.has(slotIndex) || listed.koreanName !== null) tokens.set(slotIndex, tokenOf(listed))
    const volumeUsd = slot.volumeUsd * (shares[venue] ?? 0.1) * (mainQuotes.has(listed.quote) ? 0.85 : 0.05)
    const { spreadBps, depthQuote } = usualLiquidity(volumeUsd, uniform(SEED, index, 72) * 2 - 1)
    return { index, venue, slot, keepsEnded: true, quote: listed.quote, volumeUsd, spreadBps, depthUsd: depthQuote }
  })
  const lifeOf = (pair: Pair): Life => {
    const entry = entries[pair.index]
    if (!entry) throw new RangeError('every pair has an entry')
    return entry.life
  }
  const nameless = { id: '', ticker: '', name: '', koreanName: '', chain: null, address: null }
  return worldFeed({
    dataset: 'lists',
    seed: SEED,
    venues: ['binance', 'gate', 'kucoin', 'upbit'],
    startsAt: startsAt + MINUTE,
    endsAt,
    slots,
    pairs,
    lifeOf,
    priceOf: (slot) => slot.priceUsd,
    generationOf: () => 0,
    tokenOf: ({ slot }) => tokens.get(slot.index) ?? nameless,
    tokens: () => [...tokens.values()],
    chances: USUAL_CHANCES,
    showcase: noShowcase,
    quoteOf: (quote) => quoteValue(quote, (index) => slots[index]),
  })
}

function tokenOf({ base, name, koreanName }: Listed): Token {
  return {
    id: base,
    ticker: base,
    name: name ?? base,
    koreanName: koreanName ?? name ?? base,
    chain: null,
    address: null,
  }
}
