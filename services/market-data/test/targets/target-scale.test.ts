import { openPool, sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MINUTE, startRig } from '../rig.ts'

const LONG = process.env['TEST_LONG'] === '1'
const TARGETS = LONG ? 2_000 : 600
const SECONDS = LONG ? 75 : 22
/** So that a minute begins in the time that is watched. */
const BEGIN = Math.floor(Date.now() / 60_000) * 60_000 + 45_000

const rig = opened(() => startRig({ tokens: LONG ? 700 : 250, speed: 1, startAt: BEGIN }))
beforeAll(async () => {
  await rig.run('listMarkets')
  await rig.run('observeMarkets')
  await rig.context.pool.transaction(async (tx) => {
    await tx.query(
      sql.unsafe`INSERT INTO target_account (account_id, tier) SELECT a, 2 FROM generate_series(1, 40) AS a`,
    )
    await tx.query(sql.unsafe`
      INSERT INTO target (account_id, token_id, status, added_at)
      SELECT 1 + row_number() OVER (ORDER BY token.token_id) / 50, token.token_id, 'active', ${rig.clock.now().toISOString()}
      FROM token JOIN token_instance USING (instance_id) WHERE trading = 'trading' ORDER BY token.token_id LIMIT ${TARGETS - 1}`)
  })
  await rig.run('keepScans')
})

describe('as many targets as the product has', () => {
  it('are each scanned, no minute of a target twice', async () => {
    const scannedPairs = () =>
      rig.context.pool.oneFirst(
        sql.type(z.object({ pairs: z.number() }))`SELECT count(DISTINCT instance_id)::int AS pairs FROM scan_minute`,
      )
    const end = rig.clock.now().getTime() + SECONDS * 1_000
    while (rig.clock.now().getTime() < end || (await scannedPairs()) < TARGETS - 1) {
      await rig.run('scanTargets')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await rig.context.scanning.settled(300_000)
    await rig.run('scanTargets')
    const scans = await rig.context.pool.one(
      sql.type(z.object({ rows: z.number(), good: z.number(), pairs: z.number(), doubled: z.number() }))`
        SELECT count(*)::int AS rows, count(*) FILTER (WHERE error IS NULL)::int AS good, count(DISTINCT instance_id)::int AS pairs,
          (count(*) - count(DISTINCT (instance_id, minute)))::int AS doubled FROM scan_minute`,
    )
    const errors = await rig.context.pool.any(
      sql.type(z.object({ exchange: z.string(), error: z.string(), n: z.number() }))`
        SELECT exchange, error, count(*)::int AS n FROM scan_minute JOIN token USING (instance_id) WHERE error IS NOT NULL GROUP BY 1, 2`,
    )
    expect(errors, JSON.stringify(errors)).toEqual([])
    expect(scans.pairs).toBeGreaterThanOrEqual(TARGETS - 1)
    expect(scans.good).toBeGreaterThan(scans.rows * 0.98)
    expect(scans.doubled).toBe(0)
  })

  it('start late instead of failing if all are due at once with the allowance of a real venue', async () => {
    const superuser = await openPool(rig.stack.databaseOf('market-data').superuserUrl)
    await superuser.query(sql.unsafe`TRUNCATE market_data.scan_minute`)
    await superuser.end()
    const context = await rig.newContext({
      MARKET_VENUES: 'gate',
      MARKET_LOCAL_BUDGET_FACTOR: '1',
      MARKET_OUTGOING_ADDRESS: 'real',
    })
    const due = await context.pool.anyFirst(sql.type(z.object({ token_id: z.string() }))`
      UPDATE scan_turn SET next_at = ${rig.clock.now().toISOString()} FROM token
      WHERE scan_turn.token_id = token.token_id AND exchange = 'gate' RETURNING scan_turn.token_id`)
    // More than the allowance holds and brings while one of them would wait for it.
    expect(due.length).toBeGreaterThan(125)
    const scanned = () =>
      context.pool.one(sql.type(z.object({ pairs: z.number(), failed: z.number() }))`
        SELECT count(DISTINCT instance_id)::int AS pairs, count(error)::int AS failed FROM scan_minute`)
    await eventually(async () => {
      await rig.run('scanTargets', context)
      return (await scanned()).pairs >= due.length
    })
    expect((await scanned()).failed).toBe(0)
  })

  it('are read by indexes', async () => {
    const { pool } = rig.context
    await pool.query(sql.unsafe`INSERT INTO scan_minute (instance_id, minute, flags)
      SELECT i, ${new Date(Math.floor(rig.clock.now().getTime() / MINUTE) * MINUTE).toISOString()}::timestamptz + m * interval '1 second', 0
      FROM generate_series(100001, 102000) AS i, generate_series(0, 20) AS m ON CONFLICT DO NOTHING`)
    await pool.query(sql.unsafe`ANALYZE`)
    const plan = async (query: ReturnType<typeof sql.fragment>) =>
      (await pool.anyFirst(sql.type(z.object({ 'QUERY PLAN': z.string() }))`EXPLAIN ${query}`)).join('\n')
    const at = rig.clock.now().toISOString()
    expect(
      await plan(
        sql.fragment`SELECT token_id FROM scan_turn WHERE next_at <= ${at}::timestamptz - interval '1 hour' ORDER BY next_at LIMIT 300`,
      ),
    ).toContain('scan_turn_due')
    expect(
      await plan(sql.fragment`SELECT * FROM scan_minute WHERE instance_id = 100007 AND minute > ${at}::timestamptz - interval '1 day'
        ORDER BY minute DESC LIMIT 1`),
    ).toMatch(/Index Scan.*scan_minute_\d+_pkey/)
    expect(
      await plan(sql.fragment`SELECT FROM target WHERE token_id = 'binance_btc_usdt' AND status = 'active'`),
    ).toContain('target_active')
    expect(await plan(sql.fragment`SELECT * FROM target WHERE account_id = 7`)).toContain('target_pkey')
    expect(
      await plan(
        sql.fragment`SELECT * FROM crisis_episode WHERE instance_id = 7 AND rule = 'crash' AND closed_at IS NULL`,
      ),
    ).toContain('crisis_episode_open')
  })
})
