import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MINUTE, startRig } from '../rig.ts'

/** Ten venues as large as the largest real ones. */
const VENUES = 10
const LONG = process.env['TEST_LONG'] === '1'
const PAIRS = LONG ? 2_000 : 400
/** Seconds of CPU a pair; a small board does not pay for the compiler's work on it. */
const COST_MAX = LONG ? 1e-4 : 3e-4

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

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

describe('a board over all pairs of ten venues', () => {
  it('costs no more CPU than its number of pairs allows, including the first board', async () => {
    const costs = []
    for (let pass = 0; pass < 3; pass += 1) {
      const before = process.cpuUsage()
      expect(await rig.run('computeBoard')).toBe(VENUES * PAIRS)
      const { user, system } = process.cpuUsage(before)
      costs.push((user + system) / 1e6)
      rig.exchange.clock.advance(5 * MINUTE)
    }
    if (process.env['DEBUG_LOG']) process.stdout.write(`${JSON.stringify({ costs, rss: process.memoryUsage() })}\n`)
    expect(Math.max(...costs)).toBeLessThan(VENUES * PAIRS * COST_MAX)
    const stored = await rig.context.pool.one(
      sql.type(z.object({ tokens: z.number(), graded: z.number(), bytes: z.number() }))`
        SELECT tokens, graded, length(inputs) + length(rows) AS bytes FROM board_snapshot ORDER BY id DESC LIMIT 1`,
    )
    expect(stored.graded).toBe(stored.tokens)
    expect(stored.bytes / stored.tokens).toBeLessThan(400)
  })

  it('is judged for crises without blocking the event loop: no turn takes 50 ms of CPU', async () => {
    const { context, clock } = rig
    const turns: number[] = []
    let on = true
    let before = cpuMs()
    const beat = () => {
      const now = cpuMs()
      turns.push(now - before)
      before = now
      if (on) setImmediate(beat)
    }
    await context.pool.query(sql.unsafe`
      INSERT INTO venue (exchange, source, list_seq, list_count) VALUES ('binance', 'replay', 0, 0) ON CONFLICT DO NOTHING`)
    context.crisis.minute = clock.now().getTime() - 60 * MINUTE
    beat()
    const judged = await rig.run('watchCrisis')
    on = false
    expect(judged).toBeGreaterThan(10)
    expect(context.crisis.states.size).toBeGreaterThan(VENUES * PAIRS * 0.9)
    expect(turns.reduce((longest, one) => Math.max(longest, one), 0)).toBeLessThan(50)
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
    expect(await plan(sql.fragment`SELECT id FROM board_snapshot ORDER BY id DESC LIMIT 1`)).toContain(
      'board_snapshot_pkey',
    )
  })
})
