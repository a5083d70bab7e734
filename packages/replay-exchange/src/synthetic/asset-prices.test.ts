import { expect, it } from 'vitest'
import { createView } from '../view.ts'
import { createClock } from '../clock.ts'
import { createFaults } from '../faults.ts'
import { createAssetPrices } from './asset-prices.ts'
import { createSyntheticFeed, usualVenues } from './synthetic-feed.ts'

const from = Date.UTC(2026, 4, 3, 10, 20, 30)
const HOUR = 3_600_000

const btc = (at: number, seed = 1) => createAssetPrices(seed).priceUsd('BTC', at)

it('returns equal prices for equal seeds and times, in any order, and others for another seed', () => {
  const prices = createAssetPrices(1)
  const times = Array.from({ length: 40 }, (_, index) => from + ((index * 7) % 40) * 1_234_567)
  for (const ticker of ['BTC', 'HYPE', 'TSLA'])
    for (const at of times) {
      expect(prices.priceUsd(ticker, at)).toBe(createAssetPrices(1).priceUsd(ticker, at))
      expect(prices.fundingHour(ticker, at)).toBe(createAssetPrices(1).fundingHour(ticker, at))
    }
  expect(btc(from, 2)).not.toBe(btc(from))
  expect([prices.priceUsd('NOBODY', from), prices.fundingHour('NOBODY', from)]).toEqual([null, null])
})

it('moves within seconds, a day by per cents, and never by a jump', () => {
  const prices = createAssetPrices(1)
  for (const ticker of ['BTC', 'ETH', 'HYPE', 'XYZ100']) {
    const seen = Array.from({ length: 20 * 24 * 60 }, (_, step) => prices.priceUsd(ticker, from + step * 3_000) ?? 0)
    expect(new Set(seen).size).toBe(seen.length)
    const steps = seen.slice(1).map((price, step) => Math.abs(price / (seen[step] ?? price) - 1))
    expect(Math.max(...steps)).toBeLessThan(0.001)
    const closes = Array.from({ length: 60 }, (_, day) => prices.priceUsd(ticker, from + day * 24 * HOUR) ?? 0)
    const days = closes.slice(1).map((close, day) => Math.abs(close / (closes[day] ?? close) - 1))
    const mean = days.reduce((sum, one) => sum + one, 0) / days.length
    expect(mean).toBeGreaterThan(0.003)
    expect(mean).toBeLessThan(0.06)
  }
})

it('charges funding by the hour, within bounds, in both directions', () => {
  const prices = createAssetPrices(1)
  const rates = Array.from({ length: 24 * 60 }, (_, hour) => prices.fundingHour('BTC', from + hour * HOUR) ?? 0)
  expect(prices.fundingHour('BTC', from + 60_000)).toBe(rates[0])
  expect(Math.max(...rates)).toBeLessThanOrEqual(0.000_1)
  expect(rates.some((rate) => rate < 0)).toBe(true)
  expect(rates.filter((rate) => rate > 0).length).toBeGreaterThan(rates.length / 2)
})

it('is what venues of the universe quote, of whatever size it is, within their usual deviation', () => {
  const prices = createAssetPrices(1)
  for (const tokens of [30, 300])
    for (let hour = 0; hour < 48; hour += 5) {
      const at = from + hour * HOUR
      const feed = createSyntheticFeed({ seed: 1, tokens, venues: usualVenues, lively: true })
      const clock = createClock({ startAt: at, speed: 0, endsAt: null })
      const venue = 'binance'
      const wireSymbol = ({ base, quote }: { base: string; quote: string }) => base + quote
      const view = createView({ venue, feed, clock, faults: createFaults(feed.venues), wireSymbol })
      for (const ticker of ['BTC', 'ETH']) {
        const listing = view.find(`${ticker}USDT`)
        const last = listing === null ? null : view.ticker(listing)?.last
        expect(Math.abs((last ?? 0) / (prices.priceUsd(ticker, at) ?? 1) - 1)).toBeLessThan(0.002)
      }
    }
})
