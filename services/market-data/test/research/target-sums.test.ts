import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { marketData } from '@svc/contracts/market-data'
import { openPool, sql } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { account, MINUTE, startRig } from '../rig.ts'

const BUCKET = 120 * MINUTE
const caller = { caller: account(1) }
const pair = { exchange: 'binance', symbol: 'BTC/USDT' }

/** A bucket with what a caller reads of it. */
interface Sums {
  readonly start: string
  readonly volume_usd: number | null
  readonly volume_coverage?: number | null
  readonly depth_is_lower_bound?: boolean
  readonly depth_2pct_usd?: number | null
}

/**
 * Stores good scans of every minute of the next two whole hours, of which every tenth knows its volume and the first `deeper`
 * have ten times the depth from deeper books. Returns the begin.
 */
async function scanBucket(deeper = 0): Promise<number> {
  const begin = Math.ceil(rig.clock.now().getTime() / BUCKET) * BUCKET
  const admin = await openPool(rig.stack.databaseOf('market-data').superuserUrl)
  const instance = await admin.oneFirst(sql.type(z.object({ instance_id: z.number() }))`
    SELECT instance_id FROM market_data.token WHERE exchange = 'binance' AND symbol = ${pair.symbol}`)
  const at = new Date(begin).toISOString()
  await admin.query(sql.unsafe`SELECT market_data.make_scan_partitions(${at.slice(0, 10)}::date)`)
  await admin.query(sql.unsafe`
    INSERT INTO market_data.scan_minute (instance_id, minute, bid, ask, last, spread_bps, depth_bid_2_usd, depth_ask_2_usd, volume_usd, flags)
    SELECT ${instance}, ${at}::timestamptz + m * interval '1 minute', 99, 101, 100, 200, CASE WHEN m < ${deeper} THEN 5e6 ELSE 5e5 END, 5e6,
      CASE WHEN m % 10 = 0 THEN 1000 END, CASE WHEN m < ${deeper} THEN 16 ELSE 1 END FROM generate_series(0, 119) AS m`)
  await admin.end()
  return begin
}

/** The bucket that begins then, after it was closed. */
async function closed(begin: number): Promise<Sums | undefined> {
  rig.exchange.clock.set(begin + BUCKET + 6 * MINUTE)
  for (let run = 0; run < 8; run += 1) await rig.run('bucketScans')
  rig.exchange.clock.advance(20 * MINUTE)
  await rig.run('bucketScans')
  const reports = await rig.stack.nats.connect('research-reports')
  try {
    const ask = clientOf(reports, 'research-reports', marketData)
    const { buckets } = await ask.readTargetHistory({ account_id: 7, ...pair, days: 1 })
    return buckets.find((one) => Date.parse(one.start) === begin)
  } finally {
    await reports.close()
  }
}

/** Returns the symbols of the calls for candles that the exchange received while this ran, in order. */
async function candleCallsOf(work: () => Promise<unknown>): Promise<readonly (string | null)[]> {
  const symbols: (string | null)[] = []
  const note = (message: unknown) => {
    const { pathname, searchParams } = new URL(
      (message as { request: IncomingMessage }).request.url ?? '',
      'http://venue',
    )
    if (pathname.endsWith('/klines')) symbols.push(searchParams.get('symbol'))
  }
  subscribe('http.server.request.start', note)
  try {
    await work()
  } finally {
    unsubscribe('http.server.request.start', note)
  }
  return symbols
}

const rig = opened(() => startRig({ tokens: 30 }, ['binance']))
beforeAll(async () => {
  await rig.minutes(2)
  await rig.client.addTarget(pair, caller)
})

it('the volume of two hours covers all their minutes, even if few scans had a volume', async () => {
  const begin = await scanBucket()
  const bucket = await closed(begin)
  const { feed } = rig.exchange
  const market = feed.listings('binance', begin).find((one) => one.market.base === 'BTC' && one.market.quote === 'USDT')
  if (market === undefined) throw new Error('the universe has no BTC/USDT')
  let volume = 0
  for (let minute = begin / MINUTE; minute < (begin + BUCKET) / MINUTE; minute += 1) {
    const candle = feed.candle(market.market, minute)
    volume += (candle?.volume ?? 0) * (candle?.close ?? 0)
  }
  expect((bucket?.volume_usd ?? 0) / volume).toBeCloseTo(1, 3)
  expect(bucket?.volume_coverage).toBe(1)
})

it('the candles of a pair are read by one call when two hours close, and by none before or after', async () => {
  const begin = await scanBucket()
  rig.exchange.clock.set(begin + BUCKET + 4 * MINUTE)
  expect(await candleCallsOf(() => rig.run('bucketScans'))).toEqual([])
  expect(await candleCallsOf(() => closed(begin))).toEqual(['BTCUSDT'])
})

it('a volume is null if fewer than nine tenths of its minutes are known, and the known share is returned', async () => {
  const begin = await scanBucket()
  rig.exchange.faults.set('binance', { status: 503, path: 'klines' })
  const bucket = await closed(begin)
  rig.exchange.faults.clear()
  expect(bucket?.volume_usd).toBeNull()
  expect(bucket?.volume_coverage).toBeCloseTo(0.1, 2)
})

it('depth of two hours is that of six complete deeper books or more; with fewer it is a lower bound', async () => {
  expect(await closed(await scanBucket(6))).toMatchObject({ depth_2pct_usd: 1e7, depth_is_lower_bound: false })
  expect(await closed(await scanBucket(5))).toMatchObject({ depth_2pct_usd: 1e6, depth_is_lower_bound: true })
})

it('a depth whose book ended within 2 % of the mid is a lower bound in board, explanation, targets and research', async () => {
  const begin = await scanBucket()
  expect(await closed(begin)).toMatchObject({ depth_is_lower_bound: true })
  await rig.minutes(6)
  await rig.run('scanTargets')
  await rig.context.scanning.settled(600_000)
  await rig.run('scanTargets')
  await eventually(async () => {
    const { tokens } = await rig.client.readBoard({ exchange: 'binance', limit: 100 })
    expect(tokens.find((row) => row.symbol === 'BTC/USDT')).toMatchObject({ depth_is_lower_bound: true })
    // Books of thinly traded pairs are read to their end.
    expect(tokens.some((row) => row.depth_2pct_usd !== null && !row.depth_is_lower_bound)).toBe(true)
  })
  const detail = await rig.client.explainToken({ token_id: 'binance_btc_usdt' }, caller)
  expect(detail.components.find(({ key }) => key === 'depth')).toMatchObject({ is_lower_bound: true })
  expect(detail.components.find(({ key }) => key === 'spread')).toMatchObject({ is_lower_bound: false })
  const { targets } = await rig.client.listTargets({}, caller)
  expect(targets[0]?.scan).toMatchObject({ depth_is_lower_bound: true })
})
