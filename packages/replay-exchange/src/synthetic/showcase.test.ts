import { expect, it } from 'vitest'
import { MINUTE, type FeedEvent } from '../feed.ts'
import { DAY } from './life.ts'
import { makePairs } from './pairs.ts'
import { CRISES_A_DAY, showcaseOf } from './showcase.ts'
import { makeSlots } from './slots.ts'
import { createSyntheticFeed, usualVenues } from './synthetic-feed.ts'

const make = () => createSyntheticFeed({ seed: 1, tokens: 60, venues: usualVenues, lively: true })

it('at any time prices of proven assets differ between three venues by more than fees', () => {
  const feed = make()
  const again = make()
  for (let hour = 0; hour < 400; hour += 13) {
    const at = Date.UTC(2026, 0, 1) + hour * 60 * MINUTE + 7 * MINUTE
    const listings = feed.venues.flatMap((venue) => [...feed.listings(venue, at)])
    const prices = new Map<string, number[]>()
    for (const { market, status } of listings)
      if (market.quote === 'USDT' && market.token.chain === null && status === 'trading')
        prices.set(market.base, [...(prices.get(market.base) ?? []), feed.candle(market, at / MINUTE)?.close ?? 0])
    const apart = [...prices.values()].filter((seen) => {
      const sorted = seen.toSorted((a, b) => a - b)
      // Two venues dear, one cheap: three take part.
      return seen.length >= 3 && (sorted.at(-2) ?? 0) / (sorted[0] ?? 1) > 1.006
    })
    expect(apart.length).toBeGreaterThanOrEqual(2)
    const [one] = listings
    const other = again.listings(one?.market.venue ?? '', at).find(({ market }) => market.key === one?.market.key)
    expect(other).toEqual(one)
  }
})

it('gaps open and close within minutes, and also between venues that publish the contract of an invented asset', () => {
  const feed = make()
  const at = Date.UTC(2026, 0, 5)
  const listings = feed.venues.flatMap((venue) => [...feed.listings(venue, at)])
  const assets = Map.groupBy(
    listings.filter(({ market, status }) => market.quote === 'USDT' && status === 'trading'),
    ({ market }) => market.token.id,
  )
  let [opened, closed, invented] = [0, 0, 0]
  for (const group of assets.values()) {
    if (group.length < 2) continue
    let wide = false
    for (let minute = 0; minute < 180; minute += 1) {
      const prices = group.map(({ market }) => feed.candle(market, at / MINUTE + minute)?.close ?? 0)
      const now = Math.max(...prices) / Math.min(...prices) > 1.006
      if (now && !wide) opened += 1
      if (now && !wide && group[0]?.market.token.chain !== null) invented += 1
      if (!now && wide) closed += 1
      wide = now
    }
  }
  expect(opened).toBeGreaterThan(15)
  expect(closed).toBeGreaterThan(15)
  expect(invented).toBeGreaterThan(3)
})

it('has the stated number of crises of each kind in a universe of any size', () => {
  const begin = Date.UTC(2026, 0, 1)
  const days = 400
  for (const tokens of [60, 300]) {
    const feed = createSyntheticFeed({ seed: 1, tokens, venues: usualVenues, lively: true })
    const events = feed.events(begin, begin + days * DAY, 1_000_000)
    const aDay = (kind: FeedEvent['kind'], nameOf: (event: FeedEvent) => string) =>
      new Set(events.flatMap((event) => (event.kind === kind ? [`${event.at} ${nameOf(event)}`] : []))).size / days
    const crashes = aDay('crash', ({ tokenId }) => tokenId)
    const halts = aDay('halt', ({ venue, tokenId }) => `${venue} ${tokenId}`)
    expect(crashes).toBeGreaterThan(CRISES_A_DAY.crash * 0.6)
    expect(crashes).toBeLessThan(CRISES_A_DAY.crash * 1.4)
    expect(halts).toBeGreaterThan(CRISES_A_DAY.halt * 0.6)
    expect(halts).toBeLessThan(CRISES_A_DAY.halt * 1.4)
    const pairs = makePairs(1, makeSlots(1, tokens), usualVenues)
    const { gapOf } = showcaseOf(1, pairs)
    const wide = { gap: new Set<number>(), depeg: new Set<number>() }
    const first = begin / MINUTE
    for (let minute = first; minute < first + days * 1_440; minute += 15)
      for (const pair of pairs) {
        const size = Math.abs(gapOf(pair, minute))
        if (size < 0.015) continue
        const isStable = pair.slot.volatility < 0.001
        if (isStable || size > 0.06) wide[isStable ? 'depeg' : 'gap'].add(Math.floor(minute / 1_440))
      }
    expect(wide.gap.size / days).toBeGreaterThan(CRISES_A_DAY.venueGap * 0.6)
    expect(wide.gap.size / days).toBeLessThan(CRISES_A_DAY.venueGap * 1.4)
    expect(wide.depeg.size / days).toBeGreaterThan(CRISES_A_DAY.depeg * 0.4)
    expect(wide.depeg.size / days).toBeLessThan(CRISES_A_DAY.depeg * 1.8)
  }
})
