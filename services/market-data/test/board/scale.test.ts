import { boardQuery } from '@svc/contracts/market-data/screener'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { screen } from '#board/rules/screen.ts'
import { screenedOf } from '#board/rules/screen-order.ts'
import { account, MINUTE, startRig } from '../rig.ts'

/** Ten venues as large as the largest real ones. */
const VENUES = 10
const LONG = process.env['TEST_LONG'] === '1'
const PAIRS = LONG ? 2_000 : 400

/** Two hours of observations of every pair, each with a book once in five minutes. */
async function fill(): Promise<void> {
  const { pool, clock } = rig.context
  const now = clock.now().toISOString()
  await pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`INSERT INTO venue (exchange, source, list_seq, list_count)
      SELECT 'venue' || v, 'replay', 1, ${PAIRS} FROM generate_series(0, ${VENUES - 1}) AS v`)
    await tx.query(sql.unsafe`
      INSERT INTO token_instance (token_id, first_seen_at, trading_since)
      SELECT 'venue' || v || '_t' || p || '_usdt', ${now}, ${now}
      FROM generate_series(0, ${VENUES - 1}) AS v, generate_series(1, ${PAIRS}) AS p ORDER BY v, p`)
    await tx.query(sql.unsafe`
      INSERT INTO token (token_id, exchange, symbol, base, quote, name, instance_id)
      SELECT token_id, split_part(token_id, '_', 1), upper(split_part(token_id, '_', 2)) || '/USDT', upper(split_part(token_id, '_', 2)),
        'USDT', 'A token', instance_id FROM token_instance`)
    await tx.query(sql.unsafe`INSERT INTO candle_features
      SELECT instance_id, 1000, random(), random() * 100, ${now} FROM token_instance`)
    await tx.query(sql.unsafe`
      INSERT INTO observation
      SELECT exchange, ${now}::timestamptz - m * interval '1 minute', array_agg(instance_id ORDER BY instance_id),
        array_agg(random() * 100), array_agg((random() * 300)::real), array_agg(random() * 1e7),
        array_agg((random() * 10 - 5)::real), array_agg(CASE WHEN instance_id % 5 = m % 5 THEN random() * 1e6 END ORDER BY instance_id)
      FROM token, generate_series(0, 119) AS m GROUP BY exchange, m`)
  })
  await pool.query(sql.unsafe`ANALYZE`)
}

const rig = opened(() => startRig({ tokens: 30 }, ['binance']))
beforeAll(async () => {
  rig.context.market.of('binance').minute = 0
  await fill()
})

// Each test goes on from the board of the one before, so a second try would judge another board.
describe('a board over all pairs of ten venues', () => {
  it('grades every pair and stores less than 400 bytes a token', async () => {
    for (let pass = 0; pass < 3; pass += 1) {
      expect(await rig.run('computeBoard')).toBe(VENUES * PAIRS)
      rig.exchange.clock.advance(5 * MINUTE)
    }
    const stored = await rig.context.pool.one(
      sql.type(z.object({ tokens: z.number(), graded: z.number(), bytes: z.number() }))`
        SELECT tokens, graded, length(inputs) + length(rows) AS bytes FROM board_snapshot ORDER BY id DESC LIMIT 1`,
    )
    expect(stored.graded).toBe(stored.tokens)
    expect(stored.bytes / stored.tokens).toBeLessThan(400)
  })

  it('answers a screen with six filters over all pairs', async () => {
    const { screened } = (await rig.context.board.latest()) ?? { screened: screenedOf([]) }
    const query = boardQuery.parse({
      q: 'token', quote: 'USDT', gpa_min: '0.5', risk_score_max: '95', flags: 'none', alerts: 'unknown', sort: 'depth',
    }) // prettier-ignore
    expect(screen(screened, query).total).toBeGreaterThan(100)
  })

  it('is judged for crises minute by minute', async () => {
    const { context, clock } = rig
    await context.pool.query(sql.unsafe`
      INSERT INTO venue (exchange, source, list_seq, list_count) VALUES ('binance', 'replay', 0, 0) ON CONFLICT DO NOTHING`)
    context.crisis.minute = clock.now().getTime() - 60 * MINUTE
    expect(await rig.run('watchCrisis')).toBeGreaterThan(10)
    expect(context.crisis.states.size).toBeGreaterThan(VENUES * PAIRS * 0.9)
  })

  it('keeps what it showed of each pair, and returns the points of five minutes, hours and days, and of a given time', async () => {
    const token_id = 'venue1_t7_usdt'
    const history = (query: object) => rig.client.readTokenHistory({ token_id, ...query }, { caller: account() })
    const fine = await history({ step: '5m' })
    expect(fine).toMatchObject({ token_id, exchange: 'venue1', symbol: 'T7/USDT', step: '5m', stale: false })
    expect(fine.points.length).toBe(3)
    const { row } = await rig.client.explainToken({ token_id }, { caller: account() })
    const last = fine.points.at(-1)
    expect(last).toMatchObject({
      gpa: row.gpa, grade: row.grade, grades: row.grades, lifecycle: row.lifecycle, outlook: row.outlook,
      risk_score: row.risk_score, price: row.price, alerts: null, flags: [], crises: 0,
    }) // prettier-ignore
    // A history keeps seven digits.
    for (const name of ['spread_bps', 'volume_24h_usd'] as const)
      expect(Number(last?.[name]) / Number(row[name])).toBeCloseTo(1, 6)
    const [first] = fine.points
    const shown = await history({ as_of: new Date(Date.parse(first?.computed_at ?? '') + 60_000).toISOString() })
    expect(shown).toMatchObject({ step: '5m', points: [first] })
    const before = rig.clock.now()
    for (const hours of [1, 24]) {
      rig.exchange.clock.advance(hours * 60 * MINUTE)
      await rig.run('computeBoard')
    }
    const day = before.toISOString().slice(0, 10)
    expect((await history({ step: '1h' })).points.map(({ computed_at }) => computed_at)).toContain(last?.computed_at)
    expect((await history({ step: '1d' })).points.map(({ at }) => at)).toContain(`${day}T00:00:00.000Z`)
    rig.exchange.clock.advance(4 * 24 * 60 * MINUTE)
    await rig.run('forgetObservations')
    expect((await history({ step: '5m', to: new Date(before.getTime() + 5 * MINUTE).toISOString() })).points).toEqual(
      [],
    )
    expect(await history({ as_of: last?.computed_at })).toMatchObject({ step: '1h', points: [{ price: row.price }] })
    expect((await history({ as_of: '2020-01-01T00:00:00Z' })).points).toEqual([])
    const { bytes } = await rig.context.pool.one(sql.type(z.object({ bytes: z.number() }))`
      SELECT (sum(pg_column_size(point.*)) / sum(cardinality(instance_ids)))::float8 AS bytes FROM board_point AS point`)
    if (process.env['DEBUG_LOG']) process.stdout.write(`${bytes.toFixed(1)} bytes a point\n`)
    expect(bytes).toBeLessThan(64)
  })

  it('rejects a history of no token, of an empty span and of too many steps, by their members', async () => {
    const refusal = (query: object) =>
      refusalOf(rig.client.readTokenHistory({ token_id: 'venue1_t7_usdt', ...query }, { caller: account() }))
    expect(await refusal({ token_id: 'venue1_nope_usdt' })).toMatchObject({ status: 404, code: 'unknown_token' })
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z']
    expect(await refusal({ from: to, to: from })).toMatchObject({ errors: [{ pointer: '/query/from' }] })
    expect(await refusal({ from, to, step: '1h' })).toMatchObject({
      errors: [{ detail: expect.stringContaining('1416 steps of 1h') }],
    })
    expect(await refusal({ from, as_of: to })).toMatchObject({ errors: [{ pointer: '/as_of' }] })
  })

  it('is read by indexes', async () => {
    const { pool } = rig.context
    const plan = async (query: ReturnType<typeof sql.fragment>) => {
      const rows = await pool.anyFirst(sql.type(z.object({ 'QUERY PLAN': z.string() }))`EXPLAIN ${query}`)
      return rows.join('\n')
    }
    expect(
      await plan(sql.fragment`
      SELECT token.token_id FROM unnest(ARRAY['venue1'], ARRAY['T7/USDT']) AS asked (exchange, symbol)
      JOIN token USING (exchange, symbol)`),
    ).toContain('Index Scan using token_exchange_symbol_key')
    expect(
      await plan(
        sql.fragment`SELECT * FROM lifecycle_event WHERE token_id = 'venue1_t7_usdt' ORDER BY seq DESC LIMIT 100`,
      ),
    ).toContain('lifecycle_event_pkey')
    const points = await plan(sql.fragment`
      SELECT gpa[1] FROM unnest(ARRAY[70]) AS instance (instance_id) JOIN board_point
        ON step = 60 AND part = ANY (ARRAY[1]) AND part = instance.instance_id >> 6
      WHERE at >= ${rig.clock.now().toISOString()}::timestamptz - interval '7 days'`)
    expect(points).toMatch(/board_point_60_\d+_pkey/)
    expect(points).toMatch(/Index Cond: \(\(step = 60\) AND \(part = /)
    expect(points).not.toMatch(/Seq Scan|board_point_5_|board_point_1440/)
    expect(await plan(sql.fragment`SELECT id FROM board_snapshot ORDER BY id DESC LIMIT 1`)).toContain(
      'board_snapshot_pkey',
    )
  })
})
