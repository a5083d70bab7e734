import { createHash } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { streamOfBucket } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { startReplayExchange } from '@svc/replay-exchange'
import { openBus, openLog, PROVISIONER } from '@svc/service'
import type { Servers } from '@svc/servers'
import { eventually } from '@svc/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { crisisDay } from '../demo/crisis-day.ts'
import { readResearch, watchRiskyPair } from '../demo/market-day.ts'
import { startReplayedPlatform } from '../demo/replayed-platform.ts'
import { createWalk } from '../demo/walk.ts'
import { ask, untilServed } from './client.ts'
import { allTookEffect, LOST_BY, loseStreams, query, repairStreams } from './lose-streams.ts'
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

/** Deletes every bucket that a contract declares. */
async function deleteBuckets({ nats, secrets }: Servers): Promise<void> {
  const { seed } = secrets.nkey(PROVISIONER)
  const bus = await openBus({ url: nats.url, name: PROVISIONER, seed, log: openLog(PROVISIONER, 'silent') })
  const { streams } = await jetstreamManager(bus.connection, { checkAPI: false })
  for (const bucket of contracts.flatMap(({ buckets }) => buckets)) await streams.delete(streamOfBucket(bucket))
  await bus.close()
}

interface Item {
  readonly report_id: string
  readonly sha256: string
}

/** Downloads a report until its file is there; returns the digest. */
const digestOf = (url: string, key: string, id: string): Promise<string> =>
  eventually(async () => {
    const answer = await fetch(`${url}/reports/${id}`, { headers: { 'x-svc-user-key': key } })
    const body = Buffer.from(await answer.arrayBuffer())
    expect([200, 202], String(body)).toContain(answer.status)
    expect(answer.status).toBe(200)
    return createHash('sha256').update(body).digest('hex')
  })

test('a risky pair is found, scanned, researched, reported on in two languages and told by its feed; its reports survive the loss of all buckets, and the feed that of its stream and consumer', async () => {
  const venues = ['binance', 'gate']
  const real = clockOfTurns()
  const market = { tokens: 60, venues, speed: SPEED, limits: false, startAt: Date.now(), real: real.now }
  const exchange = await startReplayExchange(market)
  try {
    const platform = await startReplayedPlatform(exchange, venues, { SVC_OPEN_LIMIT_MINUTE: '1000' })
    try {
      const walk = createWalk(platform.url, { keyed: true })
      const { key } = await untilServed(() => registerSubscriber(platform.url, platform.house.admin))
      const watched = await watchRiskyPair(walk, key)
      await readResearch(walk, key, watched)
      expect(walk.steps()).toBeGreaterThan(15)

      const { servers, url } = platform
      const { exchange: venue, symbol } = watched.pair
      const list = `/reports?exchange=${venue}&symbol=${encodeURIComponent(symbol)}`
      const { items } = (await ask(url, list, { key })).body as { items: readonly Item[] }
      expect(items).toHaveLength(2)
      await deleteBuckets(servers)
      await repairStreams(servers)
      for (const { report_id, sha256 } of items) expect(await digestOf(url, key, report_id)).toBe(sha256)

      // Each minute of the pool is an item of the feed.
      expect((await ask(url, '/agent/targets/add', { key, body: watched.pair })).status).toBe(200)
      await loseStreams(servers, LOST_BY.market, async () => {})
      await allTookEffect(servers, LOST_BY.market)
      const minutes = await query<{ times: number }>(
        servers,
        `SELECT count(*)::int AS times FROM subscriptions.feed_item WHERE feed_key = 'priority_pool' GROUP BY at`,
      )
      expect(minutes.length).toBeGreaterThan(2)
      expect(minutes.filter(({ times }) => times > 1)).toEqual([])
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
