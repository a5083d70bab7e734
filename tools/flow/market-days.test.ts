import { startReplayExchange } from '@svc/replay-exchange'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { crisisDay } from '../demo/crisis-day.ts'
import { readResearch, watchRiskyPair } from '../demo/market-day.ts'
import { startReplayedPlatform } from '../demo/replayed-platform.ts'
import { createWalk } from '../demo/walk.ts'
import { untilServed } from './client.ts'
import { registerSubscriber } from './people.ts'

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Speed of the market's clock: the minute between two scans takes two seconds on a quiet machine. */
const SPEED = 30
const TICK_MS = 20

/**
 * Returns a clock that goes on by one step in each turn of a timer. On a busy machine turns come late, so that the market
 * passes as slowly as the platform in this process works.
 */
function clockOfTurns() {
  let at = Date.now()
  const timer = setInterval(() => (at += TICK_MS), TICK_MS)
  return { now: () => at, stop: () => clearInterval(timer) }
}

test('a risky pair is found, scanned, researched, reported on in two languages and told by its feed', async () => {
  const venues = ['binance', 'gate']
  const real = clockOfTurns()
  const market = { tokens: 60, venues, speed: SPEED, limits: false, startAt: Date.now(), real: real.now }
  const exchange = await startReplayExchange(market)
  try {
    const platform = await startReplayedPlatform(exchange, venues, { SVC_OPEN_LIMIT_MINUTE: '1000' })
    try {
      const walk = createWalk(platform.url, { keyed: true })
      const { key } = await untilServed(() => registerSubscriber(platform.url, platform.house.admin))
      await readResearch(walk, key, await watchRiskyPair(walk, key))
      expect(walk.steps()).toBeGreaterThan(15)
    } finally {
      await platform.stop()
    }
  } finally {
    await exchange.stop()
    real.stop()
  }
})

// Services test each step of it in every run, and `npm run demo` plays it.
test.runIf(process.env['TEST_LONG'] === '1')(
  'an alert of a replayed crash reaches a reader of the stream, the falling token first',
  async () => {
    const walk = createWalk('http://127.0.0.1')
    await crisisDay(walk)
    expect(walk.steps()).toBe(2)
  },
)
