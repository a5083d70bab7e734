import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { MINUTE, startRig } from '../rig.ts'

/** Minutes in which all targets trade; a baseline needs six hours. */
const USUAL = 375
const SILENT = 40
/** Usual minutes, a venue that stands still, usual minutes again, one pair that stands still. */
const LENGTH = USUAL + 3 * SILENT

const episodeRow = z.object({ symbol: z.string(), opened_at: z.string(), inputs: z.record(z.string(), z.unknown()) })
let from: Date

/** What a minute-by-minute watch of all pairs, three of them targets, would have stored. */
async function fill(): Promise<void> {
  const { pool } = rig.context
  const start = sql.fragment`${from.toISOString()}::timestamptz`
  await pool.query(sql.unsafe`
    INSERT INTO observation (exchange, minute, instance_ids, price, spread_bps, volume_24h_usd, change_24h_pct, depth_2pct_usd, books_synthetic)
    SELECT exchange, ${start} + m * interval '1 minute', array_agg(instance_id), array_agg(10), array_agg(9), array_agg(1e6), array_agg(0),
      array_agg(1e5), true
    FROM token JOIN token_instance USING (instance_id), generate_series(0, ${LENGTH - 1}) AS m WHERE trading = 'trading' GROUP BY exchange, m`)
  await pool.query(
    sql.unsafe`SELECT make_scan_partitions(day::date) FROM generate_series(${start}, ${start} + interval '2 days', '1 day') AS day`,
  )
  await pool.query(sql.unsafe`
    WITH watched AS (
      SELECT token_id, instance_id, row_number() OVER (ORDER BY instance_id) AS place
      FROM token JOIN token_instance USING (instance_id, token_id) WHERE trading = 'trading' ORDER BY instance_id LIMIT 3
    ), turns AS (INSERT INTO scan_turn (token_id, next_at) SELECT token_id, ${start} FROM watched)
    INSERT INTO scan_minute (instance_id, minute, volume_usd, trades, flags)
    SELECT instance_id, ${start} + m * interval '1 minute', CASE WHEN silent THEN 0 ELSE 500 END, CASE WHEN silent THEN 0 END, 0
    FROM watched, generate_series(0, ${LENGTH - 1}) AS m,
      LATERAL (SELECT m BETWEEN ${USUAL} AND ${USUAL + SILENT - 1} OR (place = 1 AND m >= ${USUAL + 2 * SILENT}) AS silent) AS state`)
}

const rig = opened(() => startRig({ tokens: 30 }, ['binance']))
beforeAll(async () => {
  await rig.run('listMarkets')
  from = new Date(Math.floor(rig.clock.now().getTime() / MINUTE + 1) * MINUTE)
  await fill()
})

it('a target without trades while others of its venue trade is a halt; a venue without trades halts nothing', async () => {
  rig.exchange.clock.advance(LENGTH * MINUTE)
  await rig.run('listMarkets')
  while ((await rig.run('watchCrisis')) > 0);
  const halts = await rig.context.pool.any(sql.type(episodeRow)`
    SELECT symbol, opened_at, inputs FROM crisis_episode JOIN token USING (instance_id) WHERE rule = 'halt'`)
  const [watched] = await rig.context.pool.anyFirst(sql.type(z.object({ symbol: z.string() }))`
    SELECT symbol FROM scan_turn JOIN token USING (token_id) ORDER BY instance_id`)
  expect(halts.map(({ symbol }) => symbol)).toEqual([watched])
  expect(halts[0]?.inputs).toMatchObject({ halted: false, silent_minutes: 15 })
  // The scan of a minute covers the minute before, and is judged two minutes later.
  const silentSince = from.getTime() + (USUAL + 2 * SILENT) * MINUTE
  expect(Date.parse(halts[0]?.opened_at ?? '') - silentSince).toBe((14 + 2) * MINUTE)
})
