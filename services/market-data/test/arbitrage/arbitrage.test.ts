import { mining } from '@svc/contracts/mining'
import { emit, sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startNeighbours } from '../neighbours.ts'
import { account, MINUTE, startRig, type Rig } from '../rig.ts'

const as = { caller: account(2) }

/** Which asset a symbol of a venue really is. */
function truth(exchange: string, symbol: string): string {
  const listing = rig.exchange.feed
    .listings(exchange, rig.exchange.clock.now())
    .find(({ market }) => `${market.base}/${market.quote}` === symbol)
  return listing?.market.token.id ?? `${exchange} ${symbol}`
}
async function step(): Promise<void> {
  rig.exchange.clock.advance(MINUTE)
  await rig.run('listMarkets')
  await rig.run('observeMarkets')
  await rig.run('matchArbitrage')
}
const passes = () =>
  rig.context.pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM arbitrage_pass`)
const verified = () =>
  rig.context.pool.oneFirst(
    sql.type(
      z.object({ n: z.number() }),
    )`SELECT count(*)::int AS n FROM verified_contract WHERE chain IS NOT NULL AND address IS NOT NULL`,
  )

const rig = opened(() => startRig({ tokens: 120 }))
const neighbours = opened(() => startNeighbours(rig.stack))
afterEach(() => rig.exchange.faults.clear())

describe('without approved addresses', () => {
  it('is pending before the first pass instead of empty', async () => {
    const pending = { pending: true, stale: false, computed_at: null, items: [], total: 0 }
    expect(await rig.client.listArbitrage({}, as)).toMatchObject(pending)
    expect(await rig.client.listArbitrageReel({}, as)).toMatchObject(pending)
    expect(await rig.client.listArbitrageMulti({}, as)).toMatchObject(pending)
  })

  it('pairs curated assets and assets with a contract that two venues publish, and names who states it', async () => {
    await step()
    const reel = await rig.client.listArbitrageReel({ limit: 100 }, as)
    expect(reel).toMatchObject({ pending: false, stale: false, source: 'replay' })
    expect(reel.items.length).toBeGreaterThan(5)
    for (const item of reel.items)
      expect(truth(item.buy.exchange, item.buy.symbol)).toBe(truth(item.sell.exchange, item.sell.symbol))
    const published = reel.items.filter(({ evidence }) =>
      evidence.every(({ source }) => !source.startsWith('curated list: ')),
    )
    expect(published.length).toBeGreaterThan(5)
    for (const { evidence, identity } of published) {
      expect(evidence.map((one) => one.source).toSorted()).toEqual([
        'gate /api/v4/spot/currencies',
        'kucoin /api/v3/currencies',
      ])
      for (const { chain, address } of evidence) expect(identity).toEqual([`${chain}:${address}`])
    }
    const spreads = reel.items.map((item) => item.spread_bps)
    expect(spreads).toEqual(spreads.toSorted((a, b) => b - a))
  })

  it('lists equal tickers that are not paired on request only, at most limit of them, with their number', async () => {
    const silent = await rig.client.listArbitrage({}, as)
    expect(silent.conflicts).toEqual([])
    expect(silent.conflicts_total).toBeGreaterThan(5)
    const { conflicts, conflicts_total } = await rig.client.listArbitrage({ rejected: 'true', limit: 100 }, as)
    expect(conflicts_total).toBe(silent.conflicts_total)
    expect(conflicts.length).toBe(Math.min(100, conflicts_total))
    expect(conflicts.some((one) => one.reason === 'no_proof')).toBe(true)
    for (const { members } of conflicts) expect(new Set(members.map((one) => one.exchange)).size).toBeGreaterThan(0)
    expect(await rig.client.listArbitrage({ rejected: 'true', limit: 3 }, as)).toMatchObject({
      conflicts: conflicts.slice(0, 3),
      conflicts_total,
    })
    const asset = conflicts[0]?.asset ?? ''
    const one = await rig.client.listArbitrage({ rejected: 'true', asset }, as)
    expect(one.conflicts_total).toBe(conflicts.filter((conflict) => conflict.asset === asset).length)
    expect(await rig.client.listArbitrage({ asset }, as)).toMatchObject({
      conflicts: [],
      conflicts_total: one.conflicts_total,
    })
  })

  it('keeps the conflicts of the newest pass only', async () => {
    await step()
    const kept = await rig.context.pool.oneFirst(
      sql.type(z.object({ n: z.number() }))`
        SELECT count(*)::int AS n FROM arbitrage_pass WHERE conflicts <> '[]'`,
    )
    expect(kept).toBe(1)
  })
})

describe('with approved addresses', () => {
  beforeAll(async () => {
    const now = rig.exchange.clock.now()
    const listed = rig.exchange.feed.venues.flatMap((venue) => rig.exchange.feed.listings(venue, now))
    const events = listed.flatMap(({ market }) => {
      const { chain, address } = market.token
      const token_id = `${market.venue}_${market.base}_${market.quote}`.toLowerCase()
      const field = (field_name: string, field_value: string) => ({
        token_id,
        field_name,
        field_value,
        evidence_url: 'https://www.example.org/proof',
        submission_id: `sub_${'0'.repeat(32)}`,
        verified_at: new Date(now).toISOString(),
      })
      return chain === null || address === null
        ? [field('contract_address', 'native')]
        : [field('blockchain', chain), field('contract_address', address)]
    })
    await neighbours.mining.transaction(async (tx) => {
      for (const event of events) await emit(tx, mining.events.fieldVerified, event)
    })
    const chained = events.filter((event) => event.field_name === 'blockchain').map((event) => event.token_id)
    const known = await rig.context.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
      SELECT count(*)::int AS n FROM token WHERE token_id = ANY(${sql.array(chained, 'text')})`)
    expect(known).toBeGreaterThan(100)
    await eventually(async () => (await verified()) === known)
  })

  it('returns whether coins can be moved if both venues publish their wallets, and null otherwise', async () => {
    const open = (exchange: string) => rig.context.market.of(exchange).wallets
    expect(open('gate')?.size).toBeGreaterThan(20)
    expect(open('kucoin')?.size).toBeGreaterThan(20)
    expect([open('binance'), open('upbit')]).toEqual([null, null])
    const networks = (exchange: string) =>
      new Set([...(open(exchange)?.values() ?? [])].flat().map((one) => one.network))
    expect([...networks('gate')].some((network) => networks('kucoin').has(network))).toBe(true)
  })

  it('pairs only same assets, and finds opportunities that both books can fill', async () => {
    const found = new Map<string, number>()
    let conflicting = 0
    for (let minute = 0; minute < 12; minute += 1) {
      await step()
      const [two, reel, multi] = await Promise.all([
        rig.client.listArbitrage({ limit: 100, rejected: 'true' }, as),
        rig.client.listArbitrageReel({ limit: 100 }, as),
        rig.client.listArbitrageMulti({ limit: 100 }, as),
      ])
      for (const item of reel.items)
        expect(truth(item.buy.exchange, item.buy.symbol)).toBe(truth(item.sell.exchange, item.sell.symbol))
      for (const item of [...two.items, ...multi.items]) {
        const assets = new Set(item.legs.map((leg) => truth(leg.exchange, leg.symbol)))
        expect(assets.size).toBe(1)
        expect(item.profit_usd).toBeGreaterThan(0)
        expect(Number(item.proceeds) - Number(item.cost)).toBeCloseTo(Number(item.profit), 6)
        expect(item.oldest_book_age_ms).toBeLessThanOrEqual(10_000)
      }
      for (const item of two.items) {
        const key = `${item.asset} ${item.buy} ${item.sell}`
        if (![item.buy, item.sell].every((exchange) => exchange === 'gate' || exchange === 'kucoin'))
          expect(item.transferable).not.toBe(true)
        found.set(key, Math.max(found.get(key) ?? 0, item.persistence.scans))
      }
      for (const item of multi.items) expect(item.venues.length).toBeGreaterThanOrEqual(3)
      const least = two.items[0]?.profit_usd ?? 0
      const [some, more] = await Promise.all([
        rig.client.listArbitrage({ profit_usd_min: least, limit: 100 } as never, as),
        rig.client.listArbitrageMulti({ profit_usd_min: least, limit: 100 } as never, as),
      ])
      const enough = ({ profit_usd }: { readonly profit_usd: number }) => profit_usd >= least
      expect([some.total, some.items]).toEqual([some.items.length, two.items.filter(enough)])
      expect(more.items).toEqual(multi.items.filter(enough))
      conflicting = two.conflicts.filter((one) => one.reason === 'different_contract').length
    }
    expect(found.size).toBeGreaterThan(0)
    expect(Math.max(...found.values())).toBeGreaterThan(1)
    expect(conflicting).toBeGreaterThan(0)
  })

  it('is computed and published once a minute by any number of processes', async () => {
    const second = await rig.newContext()
    for (const one of [rig.context, second]) {
      await rig.run('listMarkets', one)
      await rig.run('observeMarkets', one)
    }
    // What was told before is still on its way to those who listen.
    const before = await passes()
    await eventually(() => neighbours.told('arbitrage_2cex').length === before)
    for (let minute = 0; minute < 3; minute += 1) {
      rig.exchange.clock.advance(MINUTE)
      for (const one of [rig.context, second]) await rig.run('observeMarkets', one)
      await Promise.all([rig.run('matchArbitrage'), rig.run('matchArbitrage', second), rig.run('matchArbitrage')])
    }
    expect(await passes()).toBe(before + 3)
    for (const feed of ['arbitrage_2cex', 'arbitrage_3cex'] as const)
      await eventually(() => neighbours.told(feed).length === before + 3)
  })

  it.each([
    ['crossed', { crossedBooks: true }],
    ['stale', { staleBooksMs: 60_000 }],
  ] as const)('a venue whose books are %s takes no part', async (_reason, fault) => {
    rig.exchange.faults.set('kucoin', fault)
    for (let minute = 0; minute < 3; minute += 1) {
      await step()
      const two = await rig.client.listArbitrage({ limit: 100 }, as)
      const multi = await rig.client.listArbitrageMulti({ limit: 100 }, as)
      for (const item of [...two.items, ...multi.items])
        expect(item.legs.map((leg) => leg.exchange)).not.toContain('kucoin')
    }
  })

  it('continues without a venue that does not answer', async () => {
    rig.exchange.faults.set('gate', { disconnect: true })
    const before = await passes()
    rig.exchange.clock.advance(MINUTE + 25_000 - (rig.exchange.clock.now() % MINUTE))
    await rig.run('observeMarkets')
    await rig.run('matchArbitrage')
    expect(await passes()).toBe(before + 1)
    const { items } = await rig.client.listArbitrage({ limit: 100 }, as)
    for (const item of items) expect(item.legs.map((leg) => leg.exchange)).not.toContain('gate')
    expect(items.length).toBeLessThanOrEqual(100)
    await expect(rig.client.listArbitrage({ limit: 101 }, as)).rejects.toMatchObject({ status: 400 })
    await expect(rig.client.listArbitrageReel({ limit: 0 }, as)).rejects.toMatchObject({ status: 400 })
    await expect(rig.client.listArbitrageMulti({ asset: '' }, as)).rejects.toMatchObject({ status: 400 })
  })
})

describe('the priority pool', () => {
  it('is published once a minute, with the number of targets and those that moved most', async () => {
    const symbols = ['BTC/USDT', 'ETH/USDT', 'LTC/USDT']
    for (const symbol of symbols) await rig.client.addTarget({ exchange: 'binance', symbol }, as)
    for (let minute = 0; minute < 3; minute += 1) {
      rig.exchange.clock.advance(2 * MINUTE - (rig.exchange.clock.now() % MINUTE) - 1)
      await rig.run('observeMarkets')
      await rig.run('watchCrisis')
      await rig.run('scanTargets')
      await rig.context.scanning.settled(600_000)
      await rig.run('scanTargets')
      rig.exchange.clock.advance(6_000)
      await Promise.all([rig.run('tellPool'), rig.run('tellPool', await rig.newContext()), rig.run('tellPool')])
    }
    await eventually(() => neighbours.told('priority_pool').length >= 3)
    const told = neighbours.told('priority_pool')
    expect(new Set(told.map((item) => item['minute'])).size).toBe(told.length)
    expect(told.length).toBe(3)
    for (const item of told) {
      expect(item['targets']).toBe(3)
      const items = z.array(z.object({ symbol: z.string(), price: z.number() })).parse(item['items'])
      expect(items.map((one) => one.symbol).toSorted()).toEqual(symbols)
    }
  })
})

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''

describe.skipIf(replayDir === '')('the recorded market lists of four venues', () => {
  let recorded: Rig
  beforeAll(async () => {
    recorded = await startRig({ dataset: 'lists', replayDir })
    for (let minute = 0; minute < 2; minute += 1) {
      recorded.exchange.clock.advance(MINUTE)
      for (const job of ['listMarkets', 'observeMarkets', 'matchArbitrage'] as const) await recorded.run(job)
    }
  })
  afterAll(() => recorded.stop())

  it('have no false pair: only curated assets are paired, and known collisions are conflicts', async () => {
    const { items, total } = await recorded.client.listArbitrageReel({ limit: 100 }, as)
    expect(total).toBeGreaterThan(20)
    for (const item of items) expect(item.evidence.map((one) => one.source).join()).toMatch(/^curated list/)
    const { conflicts_total } = await recorded.client.listArbitrage({}, as)
    expect(conflicts_total).toBeGreaterThan(100)
    for (const asset of ['META', 'STRK', 'LUNA']) {
      expect((await recorded.client.listArbitrageReel({ asset }, as)).items).toEqual([])
      expect((await recorded.client.listArbitrage({ asset }, as)).items).toEqual([])
    }
  })

  it('name pairs in Korean, by which they are found', async () => {
    await recorded.run('computeBoard')
    await recorded.newestBoard()
    const { exchanges } = await recorded.client.readCoverage({})
    const named = (of: 'named' | 'named_ko') => exchanges.reduce((sum, one) => sum + one[of], 0)
    expect(named('named')).toBeGreaterThan(2_500)
    expect(named('named_ko')).toBeGreaterThan(250)
    const { items } = await recorded.client.searchTokens({ q: '이더 리움 클래식'.normalize('NFD') })
    expect(items.map(({ token_id }) => token_id)).toContain('upbit_etc_krw')
    for (const { name_ko } of items) expect(name_ko).toBe('이더리움클래식')
  })
})
