import { marketData } from '@svc/contracts/market-data'
import { sql } from '@svc/postgres'
import { eventually, opened, refusalOf } from '@svc/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unpackEntries, unpackInputs } from '#board/board-codec.ts'
import { computeBoard } from '#board/rules/board.ts'
import { gpaOf } from '#board/rules/grades.ts'
import { jobs } from '#jobs.ts'
import { account, MINUTE, startRig } from '../rig.ts'

const HOUR = 60 * MINUTE

const caller = { caller: account() }

/** Reads all candles and books, and computes a board of it. */
async function fullBoard(): Promise<void> {
  for (const job of ['listMarkets', 'observeMarkets', 'rotateBooks'] as const) await rig.run(job)
  for (let read = 1; read > 0;) read = await rig.run('readCandles')
  await rig.minutes(1)
}
const snapshots = () =>
  rig.context.pool.any(
    sql.type(
      z.object({ id: z.number(), inputs: z.instanceof(Buffer), inputs_sha256: z.string(), rows: z.instanceof(Buffer) }),
    )`SELECT id, inputs, inputs_sha256, rows FROM board_snapshot ORDER BY id`,
  )

const rig = opened(() => startRig())

describe('before the first snapshot', () => {
  it('answers are pending instead of empty', async () => {
    const pending = { pending: true, stale: false, computed_at: null }
    expect(await rig.client.readBoard({})).toMatchObject({ ...pending, total: 0, tokens: [] })
    expect(await rig.client.searchTokens({ q: 'btc' })).toMatchObject({ ...pending, items: [] })
    expect(await rig.client.listRiskBottom({}, caller)).toMatchObject({ ...pending, tokens: [] })
    expect(await rig.client.readCoverage({})).toMatchObject({ ...pending, pairs: 0, exchanges: [] })
  })
})

describe('board', () => {
  beforeAll(fullBoard)

  it('leaves nothing due before the next minute once the pass of a minute has ended', async () => {
    const runAll = async () => {
      const due = new Map<string, number>()
      const now = rig.clock.now().getTime()
      for (const [name, job] of Object.entries(jobs)) {
        const { nextAt } = await job(rig.context)(AbortSignal.timeout(600_000))
        due.set(name, nextAt?.getTime() ?? now + marketData.jobs[name as keyof typeof marketData.jobs].everyMs)
      }
      // The middle of a minute is for announcements, and for nothing else.
      const isMiddle = (name: string, at: number) => name === 'readAnnouncements' && at % MINUTE === MINUTE / 2
      const next = (Math.floor(now / MINUTE) + 1) * MINUTE
      return [...due].filter(([name, at]) => at < next && !isMiddle(name, at)).map(([name]) => name)
    }
    let soon: readonly string[] = []
    let idle: readonly string[] = []
    // A venue that answered late is asked again within the minute; a job that polls is due in every minute.
    for (let minute = 0; minute < 5; minute += 1) {
      await runAll()
      rig.exchange.clock.advance(10_000)
      const now = rig.clock.now().getTime()
      soon = await runAll()
      // Only the database shows a turn or a target that another process opened.
      idle = now % MINUTE < 45_000 ? ['scanTargets', 'readHours'] : []
      if (soon.join() === idle.join()) break
      rig.exchange.clock.advance(MINUTE)
    }
    expect(soon).toEqual(idle)
  })

  it('grades the pairs of every venue and names replay as its source', async () => {
    const board = await rig.client.readBoard({ limit: 2500 }, caller)
    expect(board).toMatchObject({ pending: false, stale: false, source: 'replay', formula_version: 'board-4' })
    expect(new Set(board.tokens.map((row) => row.exchange)).size).toBe(4)
    expect(board.tokens.length).toBe(board.total)
    expect(board.tokens.filter((row) => row.gpa !== null).length).toBeGreaterThan(board.total * 0.9)
    for (const row of board.tokens) {
      expect(row.gpa).toBe(gpaOf(row.grades))
      expect(row.token_id).toBe(`${row.exchange}_${row.base}_${row.quote}`.toLowerCase())
    }
    const volumes = board.tokens.map((row) => row.volume_24h_usd ?? -1)
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a))
  })

  it('returns pages that together are complete, filtered by exchange and search', async () => {
    const whole = await rig.client.readBoard({ limit: 2500, exchange: 'gate', q: 'usdt' }, caller)
    expect(whole.tokens.every((row) => row.exchange === 'gate' && row.symbol.includes('USDT'))).toBe(true)
    const pages = []
    for (let offset = 0; offset < whole.total; offset += 7)
      pages.push(...(await rig.client.readBoard({ limit: 7, offset, exchange: 'gate', q: 'usdt' }, caller)).tokens)
    expect(pages).toEqual(whole.tokens)
    expect((await rig.client.readBoard({ offset: 1_000_000 }, caller)).tokens).toEqual([])
  })

  it('screens the rows of one snapshot by several filters, in the requested order, with the chosen members', async () => {
    // Crises are judged from the third minute on; the filter must find the rows of either time.
    const all = await rig.client.readBoard({ limit: 2500 }, caller)
    const unknown = all.tokens.filter((row) => row.alerts === null).length > all.tokens.length / 2
    const query = {
      gpa_min: 1,
      quote: 'USDT',
      lifecycle: 'active,watch,new',
      alerts: unknown ? 'unknown' : 'none',
      sort: 'spread',
    } as const
    const board = await rig.client.readBoard({ ...query, limit: 2500 }, caller)
    expect(board.tokens.length).toBeGreaterThan(10)
    const alerts = unknown ? null : []
    for (const row of board.tokens) expect([row.quote, (row.gpa ?? 0) >= 1, row.alerts]).toEqual(['USDT', true, alerts])
    const spreads = board.tokens.map((row) => row.spread_bps ?? Infinity)
    expect(spreads).toEqual(spreads.toSorted((a, b) => a - b))
    const [riskiest] = (await rig.client.readBoard({ sort: 'risk_score', fields: 'risk_score', limit: 1 })).tokens
    const { risk } = await rig.client.explainToken({ token_id: riskiest?.token_id ?? '' }, caller)
    expect(riskiest).toEqual({
      token_id: riskiest?.token_id, recent_alerts: [], not_judged: unknown ? null : expect.any(Array), alerts: unknown ? null : expect.any(Array), exchange: riskiest?.exchange, symbol: riskiest?.symbol, risk_score: risk?.score,
    }) // prettier-ignore
  })

  it('serves a page of the snapshot of the first page, and refuses one of a snapshot that was replaced', async () => {
    const { snapshot } = await rig.client.readBoard({ limit: 5 })
    expect((await rig.client.readBoard({ limit: 5, offset: 5, snapshot: snapshot ?? 0 })).snapshot).toBe(snapshot)
    expect(await refusalOf(rig.client.readBoard({ offset: 5, snapshot: (snapshot ?? 0) + 1 }))).toMatchObject({
      status: 409,
      code: 'snapshot_replaced',
      snapshot,
    })
  })

  it('returns at most 100 rows to a caller without a key', async () => {
    const board = await rig.client.readBoard({ limit: 2500 })
    expect(board.total).toBeGreaterThan(100)
    expect(board.tokens.length).toBe(100)
    expect(board.limit).toBe(100)
  })

  it('names the reason if an answer has fewer rows than requested', async () => {
    expect(await rig.client.readBoard({ limit: 2500 })).toMatchObject({ limit: 100, limit_reason: 'without_key' })
    expect(await rig.client.readBoard({ limit: 100 })).toMatchObject({ limit: 100, limit_reason: null })
    expect(await rig.client.readBoard({ limit: 2500 }, caller)).toMatchObject({ limit: 2500, limit_reason: null })
  })

  it('searches tokens of all exchanges, exact matches first, and treats no text as a pattern', async () => {
    const { items, total } = await rig.client.searchTokens({ q: 'btc', limit: 3 })
    expect(items[0]?.base).toBe('BTC')
    expect(items.length).toBe(3)
    expect(total).toBeGreaterThan(3)
    for (const q of ['%', '_', "' OR 1=1 --", '\\', '[a-z]', '💥'])
      expect((await rig.client.searchTokens({ q })).items.map((one) => one.symbol)).toEqual([])
  })

  it('names assets as their venues state it, or as another venue does for the same asset, and finds Korean names', async () => {
    const { row } = await rig.client.explainToken({ token_id: 'binance_btc_usdt' }, caller)
    expect(row).toMatchObject({ name: 'Bitcoin', name_ko: '비트코인', name_ko_from: 'upbit' })
    expect(row.name_from).not.toBe('binance')
    const { tokens } = await rig.client.readBoard({ limit: 2500 }, caller)
    for (const one of tokens.filter(({ exchange }) => exchange !== 'binance')) expect(one.name).not.toBeNull()
    for (const q of ['비트코인', '비트', '트코'.normalize('NFD')]) {
      const found = await rig.client.searchTokens({ q, limit: 100 })
      expect(found.items.map(({ token_id }) => token_id)).toContain('binance_btc_usdt')
      expect((await rig.client.readBoard({ q, limit: 1 })).total).toBe(found.total)
    }
  })

  it('lists the lowest graded tokens, worst first, each with a score that equals the sum of its factors', async () => {
    const bottom = await rig.client.listRiskBottom({ percent: 20, limit: 2500 }, caller)
    expect(bottom.total).toBe(Math.ceil(bottom.graded * 0.2))
    expect(bottom.tokens.length).toBe(bottom.total)
    const gpas = bottom.tokens.map((row) => row.gpa ?? 5)
    expect(gpas).toEqual(gpas.toSorted((a, b) => a - b))
    for (const { risk } of bottom.tokens) {
      expect(risk?.factors.reduce((sum, one) => sum + one.points, 0)).toBeCloseTo(risk?.score ?? 0)
      expect(risk?.n_peers).toBeGreaterThanOrEqual(20)
      expect(risk?.text.ko).toMatch(/[가-힣]/)
    }
    const ofGate = await rig.client.listRiskBottom({ percent: 50, exchange: 'gate' }, caller)
    expect(new Set(ofGate.tokens.map((row) => row.exchange))).toEqual(new Set(['gate']))
  })

  it('explains a row by its components, peers and the stored inputs', async () => {
    const detail = await rig.client.explainToken({ token_id: 'binance_eth_usdt' }, caller)
    const sum = detail.components.reduce((total, one) => total + (one.contribution ?? 0), 0)
    expect(sum).toBeCloseTo(detail.row.gpa ?? 0, 1)
    for (const component of detail.components) {
      expect(component.n).toBeGreaterThan(0)
      expect(component.percentile).not.toBeNull()
    }
    expect(detail.n_peers).toBeGreaterThanOrEqual(20)
    expect(detail.lifecycle_events[0]).toMatchObject({ seq: 1, from: null })
    expect((await snapshots()).map((one) => one.inputs_sha256)).toContain(detail.inputs_sha256)
  })

  it('remembers the rank of each day beside the score, and forgets days that nothing reads', async () => {
    // The ranks of a day are those of the first board of its last hour.
    rig.exchange.clock.advance(HOUR - MINUTE - (rig.clock.now().getTime() % HOUR))
    await rig.minutes(1)
    const known = await rig.client.explainToken({ token_id: 'binance_eth_usdt' }, caller)
    const { pool } = rig.context
    const today = rig.clock.now().toISOString().slice(0, 10)
    const stored = await pool.anyFirst(sql.type(z.object({ rank: z.number() }))`
      SELECT rank[array_position(instance_ids, ${known.instance_id})] AS rank FROM rank_day
      WHERE part = ${known.instance_id >> 6} AND day = ${today}`)
    expect(stored).toEqual([Math.round(known.worth?.rank ?? NaN)])
    expect(known.rank_memory).toEqual([30, 90, 365].map((days) => ({ days, mean: null, known: 1 })))
    // More days before than are kept, all with one rank.
    await pool.query(sql.unsafe`
      INSERT INTO rank_day (part, day, instance_ids, rank)
      SELECT ${known.instance_id >> 6}, ${today}::date - n, ARRAY[${known.instance_id}]::int4[], ARRAY[40]::int2[]
      FROM generate_series(1, 380) AS n`)
    const { rank_memory: memory } = await rig.client.explainToken({ token_id: 'binance_eth_usdt' }, caller)
    const mean = (days: number) => Math.round(((40 * (days - 1) + Number(stored[0])) / days) * 10) / 10
    expect(memory).toEqual([30, 90, 365].map((days) => ({ days, mean: mean(days), known: days })))
    await rig.run('forgetObservations')
    const left = sql.type(
      z.object({ n: z.number() }),
    )`SELECT count(*)::int AS n FROM rank_day WHERE day < ${today}::date`
    expect(await pool.oneFirst(left)).toBe(372)
  })

  it('returns the coverage of each venue', async () => {
    const coverage = await rig.client.readCoverage({})
    const board = await rig.client.readBoard({ limit: 1 }, caller)
    expect(coverage.exchanges.map((one) => one.exchange)).toEqual(['binance', 'gate', 'kucoin', 'upbit'])
    expect(coverage.pairs).toBe(board.total)
    for (const one of coverage.exchanges) {
      expect(one).toMatchObject({ source: 'replay', budget_closed_until: null, errors_1h: [] })
      expect(one.depth_share).toBeGreaterThan(0.9)
    }
  })

  it('rejects an unknown exchange and an unknown token with their names', async () => {
    expect(await refusalOf(rig.client.readBoard({ exchange: 'nowhere' }))).toMatchObject({
      status: 404,
      code: 'unknown_exchange',
    })
    expect(await refusalOf(rig.client.listRiskBottom({ exchange: 'nowhere' }, caller))).toMatchObject({
      code: 'unknown_exchange',
    })
    for (const token_id of ['binance_nope_usdt', 'BINANCE_BTC_USDT', "x'; DROP TABLE token; --"])
      expect(await refusalOf(rig.client.explainToken({ token_id }, caller))).toMatchObject({ code: 'unknown_token' })
  })

  it('rejects a value out of range and names the member', async () => {
    const pointerOf = async (call: Promise<unknown>) =>
      ((await refusalOf(call)) as unknown as { errors: { pointer: string }[] }).errors[0]?.pointer
    expect(await pointerOf(rig.client.readBoard({ limit: 2501 }))).toBe('/limit')
    expect(await pointerOf(rig.client.readBoard({ limit: 0 }))).toBe('/limit')
    expect(await pointerOf(rig.client.readBoard({ offset: -1 }))).toBe('/offset')
    expect(await pointerOf(rig.client.readBoard({ exchange: 'Binance' }))).toBe('/exchange')
    expect(await pointerOf(rig.client.readBoard({ q: 'x'.repeat(65) }))).toBe('/q')
    expect(await pointerOf(rig.client.listRiskBottom({ percent: 51 }, caller))).toBe('/percent')
    expect(await pointerOf(rig.client.searchTokens({ q: '' }))).toBe('/q')
    expect(await pointerOf(rig.client.readBoard({ grade: 'A,E' }))).toBe('/grade')
    expect(await pointerOf(rig.client.readBoard({ gpa_min: 2, gpa_max: 1 }))).toBe('/gpa_max')
  })
})

describe('an asset that another venue has delisted', () => {
  it('is recognized by its approved contract only', async () => {
    const { pool } = rig.context
    const ids = await pool.any(sql.type(z.object({ token_id: z.string(), instance_id: z.number() }))`
      SELECT token_id, instance_id FROM token WHERE token_id = ANY (${sql.array(['binance_sol_usdt', 'gate_sol_usdt', 'kucoin_sol_usdt'], 'text')})`)
    const idOf = (tokenId: string) => ids.find((one) => one.token_id === tokenId)?.instance_id ?? 0
    const verify = (tokenId: string, address: string) =>
      pool.query(sql.unsafe`INSERT INTO verified_contract (instance_id, chain, chain_at, address, address_at)
        VALUES (${idOf(tokenId)}, 'ethereum', now(), ${address}, now())`)
    await verify('binance_sol_usdt', '0xAbCd000000000000000000000000000000000001')
    await verify('gate_sol_usdt', '0xabcd000000000000000000000000000000000001')
    await verify('kucoin_sol_usdt', '0xabcd000000000000000000000000000000000002')
    await pool.query(sql.unsafe`UPDATE token_instance SET trading = 'delisted', delist_cause = 'test', trading_since = ${rig.clock.now().toISOString()}
      WHERE instance_id = ${idOf('binance_sol_usdt')}`)
    // The venue still lists the symbol: its next list would bring it back as another token.
    rig.context.market.of('binance').nextListAt = Infinity
    await rig.minutes(6)
    const rowOf = async (token_id: string) => (await rig.client.explainToken({ token_id }, caller)).row
    await eventually(async () => expect((await rowOf('binance_sol_usdt')).lifecycle).toBe('delisted'))
    expect((await rowOf('gate_sol_usdt')).flags).toMatchObject([
      { flag: 'delisted at binance', meaning: 'delisted_elsewhere' },
    ])
    expect((await rowOf('kucoin_sol_usdt')).flags).toEqual([])
    const { risk } = await rig.client.explainToken({ token_id: 'gate_sol_usdt' }, caller)
    expect(risk?.score).toBeGreaterThanOrEqual(65)
  })
})

describe('snapshots', () => {
  it('are stored once per five minutes of the clock, and are stale after fifteen', async () => {
    const first = (await snapshots()).length
    await rig.minutes(15)
    expect((await snapshots()).length).toBe(first + 3)
    rig.exchange.clock.advance(16 * MINUTE)
    expect((await rig.client.readBoard({})).stale).toBe(true)
    await rig.minutes(1)
    await eventually(async () => (await rig.client.readBoard({})).stale === false)
  })

  it('are equal byte for byte if they are recomputed from their inputs', async () => {
    const stored = await snapshots()
    expect(stored.length).toBeGreaterThan(3)
    for (const { inputs, inputs_sha256, rows } of stored) {
      const again = computeBoard(await unpackInputs(inputs, inputs_sha256))
      expect(JSON.stringify(again)).toBe(JSON.stringify(await unpackEntries(rows)))
    }
    const [one] = stored
    await expect(unpackInputs(one?.inputs ?? Buffer.alloc(0), '0'.repeat(64))).rejects.toThrow('hash')
  })

  it('are reduced to one per hour, and the newest is always kept', async () => {
    const before = await snapshots()
    rig.exchange.clock.advance(3 * 60 * MINUTE)
    await rig.run('forgetObservations')
    const kept = await snapshots()
    expect(kept.length).toBeLessThan(before.length)
    expect(kept.at(-1)?.id).toBe(before.at(-1)?.id)
    rig.exchange.clock.advance(8 * 24 * 60 * MINUTE)
    await rig.run('forgetObservations')
    expect((await snapshots()).map((one) => one.id)).toEqual([before.at(-1)?.id])
  })
})
