import { expect, it } from 'vitest'
import { createClock } from './clock.ts'
import { createFaults } from './faults.ts'
import { MINUTE, type Feed } from './feed.ts'
import { startReplayExchange } from './server.ts'
import { createSyntheticFeed } from './synthetic/synthetic-feed.ts'
import { createView } from './view.ts'

const START = Date.UTC(2026, 0, 5)

/** A view over a made-up venue, and how often its candles and sums of a day were computed. */
function counted() {
  const made = createSyntheticFeed({ seed: 1, tokens: 40, venues: ['binance'] })
  const count = { candles: 0, days: 0 }
  const feed: Feed = {
    ...made,
    candle: (market, minute) => {
      count.candles += 1
      return made.candle(market, minute)
    },
    day: (market, minute) => {
      count.days += 1
      return made.day(market, minute)
    },
  }
  const clock = createClock({ startAt: START, speed: 0, endsAt: null })
  const view = createView({
    venue: 'binance',
    feed,
    clock,
    faults: createFaults(['binance']),
    wireSymbol: (one) => one.base + one.quote,
  })
  return { view, clock, count }
}

it('only requested data is computed, and a book needs only its pair', () => {
  const { view, clock, count } = counted()
  const [one] = view.listings()
  clock.advance(10 * MINUTE)
  expect(view.listings().length).toBeGreaterThan(40)
  expect(count).toEqual({ candles: 0, days: 0 })
  if (one !== undefined) view.book(one, 100)
  expect(count.candles).toBeLessThanOrEqual(2)
  expect(count.days).toBe(0)
})

it('tickers and books of one minute compute each candle and each sum once, and a minute later one more', () => {
  const { view, clock, count } = counted()
  clock.advance(30_000)
  const pairs = view.listings()
  const askAll = () => {
    for (const listing of pairs) {
      view.ticker(listing)
      view.book(listing, 100)
    }
  }
  for (let asked = 0; asked < 5; asked += 1) askAll()
  expect(count.candles).toBeLessThanOrEqual(2 * pairs.length)
  expect(count.days).toBeLessThanOrEqual(pairs.length)
  const before = { ...count }
  clock.advance(MINUTE)
  for (let asked = 0; asked < 5; asked += 1) askAll()
  expect(count.candles - before.candles).toBeLessThanOrEqual(2 * pairs.length)
  expect(count.days - before.days).toBeLessThanOrEqual(pairs.length)
})

it('a server without requests has no timer and computes nothing', async () => {
  const timers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length
  const before = timers()
  const exchange = await startReplayExchange({ tokens: 30, venues: ['binance'], lively: true })
  try {
    expect(timers()).toBeLessThanOrEqual(before + 1)
  } finally {
    await exchange.stop()
  }
})
