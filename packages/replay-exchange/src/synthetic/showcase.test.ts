import { expect, it } from 'vitest'
import { MINUTE } from '../feed.ts'
import { createSyntheticFeed, usualVenues } from './synthetic-feed.ts'

const make = () => createSyntheticFeed({ seed: 1, tokens: 60, venues: usualVenues, lively: true })

it('at any time prices of proven assets differ between three venues by more than fees, and a pair is halted', () => {
  const feed = make()
  const again = make()
  for (let hour = 0; hour < 400; hour += 13) {
    const at = Date.UTC(2026, 0, 1) + hour * 60 * MINUTE + 7 * MINUTE
    const listings = feed.venues.flatMap((venue) => [...feed.listings(venue, at)])
    expect(listings.some(({ status, market }) => status === 'halted' && market.token.chain !== null)).toBe(true)
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
