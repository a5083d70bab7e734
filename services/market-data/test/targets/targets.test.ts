import { subscriptions } from '@svc/contracts/subscriptions'
import { marketData } from '@svc/contracts/market-data'
import { emit, sql } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { expectBurns, scrapeHere } from '@svc/testing/alerts'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { failedScan } from '#targets/rules/scan.ts'
import { insertScans } from '#targets/store/scans.ts'
import { startNeighbours } from '../neighbours.ts'
import { account, MINUTE, startRig, type Rig } from '../rig.ts'

type Faults = Parameters<Rig['exchange']['faults']['set']>[1]

let lastAccount = 100

/** A new account and its calls. */
function person(tier: 0 | 1 | 2 = 1) {
  lastAccount += 1
  const caller = { ...account(tier), account_id: lastAccount }
  return { caller, as: { caller } }
}
const scanRow = z.object({
  minute: z.string(),
  symbol: z.string(),
  exchange: z.string(),
  error: z.string().nullable(),
  flags: z.number(),
  bid: z.number().nullable(),
  ask: z.number().nullable(),
  depth: z.number().nullable(),
  volume_usd: z.number().nullable(),
})
const scans = (symbol: string, exchange = 'binance') =>
  rig.context.pool.any(sql.type(scanRow)`
    SELECT minute, symbol, exchange, error, flags, bid, ask, depth_bid_2_usd::float8 AS depth, volume_usd::float8 AS volume_usd
    FROM scan_minute JOIN token USING (instance_id) WHERE symbol = ${symbol} AND exchange = ${exchange} ORDER BY minute`)

/** Runs the scans that are due, at the second of a minute in which all are. */
async function scanAll(context = rig.context): Promise<void> {
  await rig.run('scanTargets', context)
  await context.scanning.settled(600_000)
  await rig.run('scanTargets', context)
}
const tierChanged = (account_id: number, tier: 0 | 1 | 2, previous_tier: 0 | 1 | 2) =>
  neighbours.subscriptions.transaction((tx) =>
    emit(tx, subscriptions.events.tierChanged, { account_id, tier, previous_tier, ends_at: null, cause: 'lapse' }),
  )
const statusesOf = async (as: ReturnType<typeof person>['as']) =>
  (await rig.client.listTargets({}, as)).targets.map((one) => one.status)

const rig = opened(() => startRig())
const neighbours = opened(() => startNeighbours(rig.stack))
beforeAll(async () => {
  await rig.minutes(1)
})
afterEach(() => rig.exchange.faults.clear())

describe('adding a target', () => {
  it('answers as documented, and changes nothing if repeated', async () => {
    const { as } = person()
    const asked = { exchange: 'binance', symbol: 'BTC/USDT' }
    const added = await rig.client.addTarget(asked, as)
    expect(added).toMatchObject({ ok: true, ...asked, priority_pool: true })
    expect(added.next_steps).toContain('GET /agent/research/binance/BTC_USDT')
    expect((await rig.client.addTarget(asked, as)).message).toContain('already')
    const { targets, limit, used } = await rig.client.listTargets({}, as)
    expect({ limit, used, length: targets.length }).toEqual({ limit: 10, used: 1, length: 1 })
    expect(targets[0]).toMatchObject({ ...asked, status: 'active', scan: { status: 'pending', at: null } })
  })

  it('with the same idempotency key returns the same answer and adds once', async () => {
    const { as } = person()
    const again = { ...as, idempotencyKey: 'same-key' }
    const asked = { exchange: 'gate', symbol: 'BTC/USDT' }
    expect(await rig.client.addTarget(asked, again)).toEqual(await rig.client.addTarget(asked, again))
  })

  it('stops at the limit of the tier, also for concurrent calls', async () => {
    const { as } = person(1)
    const { tokens } = await rig.client.readBoard({ limit: 100, exchange: 'binance' }, as)
    const wanted = tokens.slice(0, 13).map(({ exchange, symbol }) => ({ exchange, symbol }))
    const calls = await Promise.allSettled(wanted.map((one) => rig.client.addTarget(one, as)))
    expect(calls.filter((one) => one.status === 'fulfilled').length).toBe(10)
    const [beyond] = wanted.filter((_, place) => calls[place]?.status === 'rejected')
    if (beyond === undefined) throw new Error('all were let in')
    expect(await refusalOf(rig.client.addTarget(beyond, as))).toMatchObject({
      status: 409,
      code: 'target_limit',
      limit: 10,
      used: 10,
    })
    const [first] = wanted.filter((_, place) => calls[place]?.status === 'fulfilled')
    if (first === undefined) throw new Error('none was let in')
    // One that is a target already is still answered, and its place is free once it is removed.
    await rig.client.addTarget(first, as)
    expect(await rig.client.removeTarget(first, as)).toMatchObject({ ok: true, removed: true })
    await rig.client.addTarget(beyond, as)
  })

  it('rejects a pair that is not on the board, and names the form of a symbol', async () => {
    const { as } = person()
    for (const symbol of ['NOPE/USDT', 'USDT/BTC'])
      expect(await refusalOf(rig.client.addTarget({ exchange: 'binance', symbol }, as))).toMatchObject({
        status: 404,
        code: 'unknown_pair',
      })
    expect(await refusalOf(rig.client.addTarget({ exchange: 'nowhere', symbol: 'BTC/USDT' }, as))).toMatchObject({
      code: 'unknown_pair',
    })
    expect(await refusalOf(rig.client.removeTarget({ exchange: 'binance', symbol: 'NOPE/USDT' }, as))).toMatchObject({
      code: 'unknown_pair',
    })
    for (const symbol of ['BTC_USDT', 'btc/usdt', 'BTCUSDT', "X'; DROP/TABLE"]) {
      const refusal = await refusalOf(rig.client.addTarget({ exchange: 'binance', symbol }, as))
      expect(refusal).toMatchObject({ status: 400, errors: [{ pointer: '/symbol' }] })
      expect(JSON.stringify(refusal)).toContain('BASE/QUOTE')
    }
  })

  it('accepts captures from 0 to 100, and only in Tier 2', async () => {
    const asked = { exchange: 'binance', symbol: 'ETH/USDT' }
    const two = person(2)
    await rig.client.addTarget({ ...asked, microburst_hf_captures: 100 }, two.as)
    await rig.client.addTarget(asked, two.as)
    expect((await rig.client.listTargets({}, two.as)).targets[0]?.microburst_hf_captures).toBe(100)
    await rig.client.addTarget({ ...asked, microburst_hf_captures: 0 }, two.as)
    expect((await rig.client.listTargets({}, two.as)).targets[0]?.microburst_hf_captures).toBe(0)
    for (const microburst_hf_captures of [-1, 101, 1.5])
      expect(await refusalOf(rig.client.addTarget({ ...asked, microburst_hf_captures }, two.as))).toMatchObject({
        status: 400,
        errors: [{ pointer: '/microburst_hf_captures' }],
      })
    expect(await refusalOf(rig.client.addTarget({ ...asked, microburst_hf_captures: 1 }, person(1).as))).toMatchObject({
      status: 403,
      code: 'tier_required',
      required_tier: 2,
    })
  })

  it('in Tier 1 with 0 captures adds a target without captures', async () => {
    const { as } = person(1)
    await rig.client.addTarget({ exchange: 'binance', symbol: 'ETH/USDT', microburst_hf_captures: 0 }, as)
    expect((await rig.client.listTargets({}, as)).targets).toMatchObject([{ microburst_hf_captures: 0 }])
  })

  it('can be undone, and the pair added again with a new begin', async () => {
    const { as, caller } = person()
    const asked = { exchange: 'kucoin', symbol: 'BTC/USDT' }
    await rig.client.addTarget(asked, as)
    expect(await rig.client.removeTarget(asked, as)).toMatchObject({ removed: true })
    expect(await rig.client.removeTarget(asked, as)).toMatchObject({ removed: false })
    expect((await rig.client.listTargets({}, as)).targets).toEqual([])
    rig.exchange.clock.advance(MINUTE)
    await rig.client.addTarget(asked, as)
    const [target] = (await rig.client.listTargets({}, as)).targets
    expect(Date.parse(target?.added_at ?? '')).toBe(rig.clock.now().getTime())
    const bus = await rig.stack.nats.connect('subscriptions')
    expect(await clientOf(bus, 'subscriptions', marketData).countTargets({ account_id: caller.account_id })).toEqual({
      active: 1,
    })
    await bus.close()
    const reports = await rig.stack.nats.connect('research-reports')
    const { limit, ...own } = await rig.client.listTargets({}, as)
    const { account_id } = caller
    expect(await clientOf(reports, 'research-reports', marketData).readTargets({ account_id })).toEqual(own)
    expect(limit).toBe(10)
    await reports.close()
  })
})

describe('scans', () => {
  it('begin within a minute, run once a minute, and are shared by all accounts that watch the pair', async () => {
    const [one, other] = [person(), person(2)]
    const asked = { exchange: 'binance', symbol: 'LTC/USDT' }
    await rig.client.addTarget(asked, one.as)
    await rig.client.addTarget(asked, other.as)
    for (let minute = 0; minute < 5; minute += 1) {
      await rig.minutes(1)
      rig.exchange.clock.advance(59_000 - (rig.clock.now().getTime() % MINUTE))
      await scanAll()
      await scanAll()
    }
    const rows = await scans('LTC/USDT')
    expect(rows.length).toBe(5)
    expect(new Set(rows.map((row) => row.minute)).size).toBe(5)
    for (const row of rows) {
      expect(row).toMatchObject({ error: null })
      expect(row.ask).toBeGreaterThan(row.bid ?? Infinity)
      expect(row.depth).toBeGreaterThan(0)
      expect(row.volume_usd).toBeGreaterThanOrEqual(0)
    }
    for (const { as } of [one, other])
      expect((await rig.client.listTargets({}, as)).targets[0]).toMatchObject({ scan: { status: 'ok', ok_1h: 5 } })
  })

  it('that start late burn their budget', async () => {
    await rig.client.addTarget({ exchange: 'binance', symbol: 'LTC/USDT' }, person().as)
    /** Lets time pass and scans what is due then. */
    const after = async (ms: number) => {
      rig.exchange.clock.advance(ms)
      await scanAll()
      return scrapeHere()
    }
    // At the end of a minute all scans of the minute are due.
    await after(2 * MINUTE - 1_000 - (rig.clock.now().getTime() % MINUTE))
    const before = [await after(MINUTE), await after(MINUTE)]
    await expectBurns('scans', { before, after: [await after(3 * MINUTE), await after(3 * MINUTE)] })
  })

  it('name why there is nothing to scan: the venue halted the pair, or does not answer', async () => {
    const { as } = person()
    await rig.client.addTarget({ exchange: 'binance', symbol: 'XRP/USDT' }, as)
    const reason = async () => (await rig.client.listTargets({}, as)).targets[0]?.scan.reason
    const setTrading = (trading: 'halted' | 'trading') =>
      rig.context.pool.query(sql.unsafe`
        UPDATE token_instance SET trading = ${trading} FROM token
        WHERE token.instance_id = token_instance.instance_id AND token.token_id = 'binance_xrp_usdt'`)
    await rig.run('observeMarkets')
    expect(await reason()).toBeNull()
    await setTrading('halted')
    expect(await reason()).toBe('halted')
    await setTrading('trading')
    rig.exchange.clock.advance(5 * MINUTE)
    expect(await reason()).toBe('exchange_silent')
    await rig.run('observeMarkets')
    expect(await reason()).toBeNull()
  })

  it('are never made twice by two processes that compete for the same turns', async () => {
    const { as } = person(2)
    const { tokens } = await rig.client.readBoard({ limit: 100, exchange: 'gate' }, as)
    for (const { exchange, symbol } of tokens.slice(0, 30)) await rig.client.addTarget({ exchange, symbol }, as)
    const second = await rig.newContext()
    const before = await scanCount()
    rig.exchange.clock.advance(2 * MINUTE - (rig.clock.now().getTime() % MINUTE) + 59_000)
    const minute = new Date(Math.floor(rig.clock.now().getTime() / MINUTE) * MINUTE).toISOString()
    await Promise.all(Array.from({ length: 8 }, (_, at) => scanAll(at % 2 === 0 ? rig.context : second)))
    const active = await rig.context.pool.oneFirst(
      sql.type(
        z.object({ n: z.number() }),
      )`SELECT count(DISTINCT token_id)::int AS n FROM target WHERE status = 'active'`,
    )
    const taken = (await scanCount()) - before
    expect(taken).toBe(active)
    const due = await rig.context.pool.oneFirst(
      sql.type(
        z.object({ n: z.number() }),
      )`SELECT count(*)::int AS n FROM scan_turn WHERE next_at <= ${minute}::timestamptz + interval '59 seconds'`,
    )
    expect(due).toBe(0)
  })
})

const scanCount = () =>
  rig.context.pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM scan_minute`)

describe('a tier that lapses', () => {
  it('pauses the targets beyond the new limit, newest first, and resumes them with a higher tier', async () => {
    const { as, caller } = person(2)
    const { tokens } = await rig.client.readBoard({ limit: 100, exchange: 'kucoin' }, as)
    for (const { exchange, symbol } of tokens.slice(0, 12)) {
      rig.exchange.clock.advance(1)
      await rig.client.addTarget({ exchange, symbol }, as)
    }
    await tierChanged(caller.account_id, 1, 2)
    await eventually(async () => (await statusesOf(as)).filter((one) => one === 'paused').length === 2)
    expect((await statusesOf(as)).slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'active'))
    await tierChanged(caller.account_id, 0, 1)
    await eventually(async () => (await statusesOf(as)).every((one) => one === 'paused'))
    const [paused] = (await rig.client.listTargets({}, as)).targets
    expect(paused?.scan.status).toBe('paused')
    await tierChanged(caller.account_id, 2, 0)
    await eventually(async () => (await statusesOf(as)).every((one) => one === 'active'))
  })

  it('ends the scans of a pair that no other account watches, until its target is resumed', async () => {
    const { as, caller } = person(1)
    const asked = { exchange: 'upbit', symbol: 'XRP/KRW' }
    await rig.client.addTarget(asked, as)
    await scanAll()
    const first = (await scans(asked.symbol, 'upbit')).length
    await tierChanged(caller.account_id, 0, 1)
    await eventually(async () => (await statusesOf(as))[0] === 'paused')
    for (let minute = 0; minute < 2; minute += 1) {
      rig.exchange.clock.advance(MINUTE)
      await scanAll()
    }
    expect((await scans(asked.symbol, 'upbit')).length).toBe(first)
    await tierChanged(caller.account_id, 1, 0)
    await eventually(async () => (await statusesOf(as))[0] === 'active')
    await scanAll()
    expect((await scans(asked.symbol, 'upbit')).length).toBe(first + 1)
  })
})

describe('venue faults', () => {
  const faults: readonly (readonly [string, Faults])[] = [
    ['server_error', { status: 503, path: 'depth' }],
    ['rate_limited', { limited: { status: 429, retryAfterSeconds: 1 }, path: 'depth' }],
    ['network', { disconnect: true, path: 'depth' }],
    ['bad_answer', { missingFields: ['bids', 'asks'], path: 'depth' }],
  ]
  it.each(faults)('%s: the minute has one row with this class and no figures', async (error, fault) => {
    const { as } = person(1)
    const asked = { exchange: 'binance', symbol: 'BTC/USDT' }
    await rig.client.addTarget(asked, as)
    rig.exchange.clock.advance(2 * MINUTE)
    rig.exchange.faults.set('binance', fault)
    const minute = new Date(Math.floor(rig.clock.now().getTime() / MINUTE) * MINUTE).toISOString()
    await scanAll()
    const rows = (await scans(asked.symbol)).filter((row) => row.minute === minute)
    expect(rows.length).toBe(1)
    expect(rows[0]).toMatchObject({ bid: null, depth: null })
    expect([error, 'budget', 'rate_limited']).toContain(rows[0]?.error)
    const { targets } = await rig.client.listTargets({}, as)
    expect(targets[0]?.scan).toMatchObject({ status: 'failing', error: rows[0]?.error })
    rig.exchange.faults.clear()
    await eventually(async () => (await rig.context.venues.get('binance')?.budget.closedForMs()) === 0)
  })

  it('a crossed or a one-sided book is flagged and never good', async () => {
    const { as } = person(1)
    const asked = { exchange: 'binance', symbol: 'ETH/USDT' }
    await rig.client.addTarget(asked, as)
    rig.exchange.clock.advance(2 * MINUTE)
    rig.exchange.faults.set('binance', { crossedBooks: true })
    await scanAll()
    expect((await rig.client.listTargets({}, as)).targets[0]?.scan).toMatchObject({ status: 'failing', error: null })
    expect((await scans(asked.symbol)).at(-1)).toMatchObject({ flags: 4, depth: null })
  })

  it('a failure of candles leaves the volume unknown and the scan good', async () => {
    const { as } = person(1)
    const asked = { exchange: 'binance', symbol: 'SOL/USDT' }
    await rig.client.addTarget(asked, as)
    rig.exchange.clock.advance(2 * MINUTE)
    rig.exchange.faults.set('binance', { status: 503, path: 'klines' })
    await scanAll()
    const row = (await scans(asked.symbol)).at(-1)
    expect(row).toMatchObject({ error: null, volume_usd: null })
    expect(row?.depth).toBeGreaterThan(0)
  })
})

describe('keeping scans', () => {
  it('packs each two hours once, in any process, and drops later scans of them', async () => {
    const { as } = person(1)
    await rig.client.addTarget({ exchange: 'binance', symbol: 'ADA/USDT' }, as)
    await scanAll()
    rig.exchange.clock.advance(150 * MINUTE)
    const second = await rig.newContext()
    await Promise.all([rig.run('bucketScans'), rig.run('bucketScans', second), rig.run('bucketScans')])
    const packed = await rig.context.pool.one(
      sql.type(z.object({ blocks: z.number(), scans: z.number(), minutes: z.number(), until: z.string() }))`
        SELECT count(*)::int AS blocks, coalesce(sum(scans), 0)::int AS scans,
          (SELECT count(*)::int FROM scan_minute WHERE minute < (SELECT bucketed_until FROM scan_bucketing)) AS minutes,
          (SELECT bucketed_until FROM scan_bucketing) AS until FROM scan_packed`,
    )
    expect(packed.blocks).toBeGreaterThan(0)
    expect(packed.scans).toBe(packed.minutes)
    expect(Date.parse(packed.until)).toBeGreaterThan(rig.clock.now().getTime() - 125 * MINUTE)
    const before = await scanCount()
    const late = new Date(Date.parse(packed.until) - MINUTE).toISOString()
    await insertScans(rig.context.pool, [
      failedScan(900_001, late, 'timeout'),
      failedScan(900_001, packed.until, 'timeout'),
    ])
    expect(await scanCount()).toBe(before + 1)
  })

  it('creates partitions ahead, drops packed minutes after three days, and packed scans after ninety', async () => {
    const partitions = () =>
      rig.context.pool.anyFirst(sql.type(z.object({ relname: z.string() }))`
        SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid
        WHERE inhparent IN ('scan_minute'::regclass, 'scan_packed'::regclass) ORDER BY relname`)
    const dayOf = (days: number) =>
      `scan_minute_${new Date(rig.clock.now().getTime() + days * 1440 * MINUTE).toISOString().slice(0, 10).replaceAll('-', '')}`
    await rig.run('keepScans')
    const today = dayOf(0)
    expect(await partitions()).toEqual(expect.arrayContaining([today, dayOf(1), dayOf(2)]))
    rig.exchange.clock.advance(4 * 1440 * MINUTE)
    const settle = async (job: 'keepScans' | 'bucketScans') => {
      for (let done = 1; done > 0;) done = await rig.run(job)
    }
    await settle('keepScans')
    expect(await partitions()).toContain(today)
    await settle('bucketScans')
    await settle('keepScans')
    expect(await partitions()).not.toContain(today)
    const packedToday = today.replace('minute', 'packed')
    expect(await partitions()).toContain(packedToday)
    rig.exchange.clock.advance(88 * 1440 * MINUTE)
    await settle('keepScans')
    expect(await partitions()).not.toContain(packedToday)
  })
})
