import { openPool, sql, type Pool, type Tx } from '@svc/postgres'
import { disposableDatabase, opened, plansOf } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newestRegulatedLists } from '#assets/store/regulated-lists.ts'
import { makePointPartitions, pairOfToken, readPointAt, readPoints } from '#board/store/board-points.ts'
import { noteReading, noticesSince } from '#listings/store/announcements.ts'
import { hoursDue, readTargetHours } from '#research/store/target-hours.ts'
import { listingsOf, noticesOf } from '#research/store/target-facts.ts'
import { waitingTargets } from '#targets/store/targets.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const TOKEN = 'venue1_t77_usdt'
const INSTANCE = 1_077
let pool: Pool

const database = opened(() => disposableDatabase('market-data'))
beforeAll(async () => {
  const owner = await openPool(database.superuserUrl, { size: 1 })
  const at = sql.fragment`${now.toISOString()}::timestamptz`
  const fill = async (statement: ReturnType<typeof sql.unsafe>) => void (await owner.query(statement))
  await fill(sql.unsafe`SET search_path TO market_data`)
  // Ten venues of three hundred pairs each.
  await fill(
    sql.unsafe`INSERT INTO venue (exchange, source, list_seq, list_count) SELECT 'venue' || v, 'live', 1, 1000 FROM generate_series(0, 19) AS v`,
  )
  await fill(sql.unsafe`
    INSERT INTO token_instance (instance_id, token_id, first_seen_at, trading_since) OVERRIDING SYSTEM VALUE
    SELECT v * 1000 + p, 'venue' || v || '_t' || p || '_usdt', ${at}, ${at} FROM generate_series(0, 9) AS v, generate_series(1, 300) AS p`)
  await fill(sql.unsafe`
    INSERT INTO token (token_id, exchange, symbol, base, quote, instance_id)
    SELECT token_id, split_part(token_id, '_', 1), upper(split_part(token_id, '_', 2)) || '/USDT', upper(split_part(token_id, '_', 2)), 'USDT', instance_id
    FROM token_instance`)
  await makePointPartitions(owner, now)
  for (const step of [5, 60, 1_440])
    await fill(sql.unsafe`
      INSERT INTO board_point (step, part, at, computed_at, instance_ids, gpa, risk_score, spread_bps, depth_2pct_usd, volume_24h_usd,
        price, change_24h_pct, grades, state, alerts)
      SELECT ${step}, part, date_bin('5 minutes', ${at}, 'epoch') - n * ${step} * interval '1 minute', ${at} - n * ${step} * interval '1 minute',
        ids, ids, ids, ids, ids, ids, ids, ids, ids, ids, ids
      FROM generate_series(0, 99) AS n, (SELECT instance_id >> 6 AS part, array_agg(instance_id ORDER BY instance_id)::int[] AS ids
        FROM token_instance GROUP BY 1) AS parts
      WHERE date_trunc('day', ${at} - n * ${step} * interval '1 minute') = date_trunc('day', ${at})
      ON CONFLICT DO NOTHING`)
  await fill(sql.unsafe`
    INSERT INTO venue_announcement (exchange, announcement_id, title, source, published_at, first_seen_at, meaning, bases)
    SELECT 'venue' || v, n::text, 't', 's', ${at}, ${at} - n * interval '1 day', CASE WHEN n % 20 = 0 THEN 'warning' END, ARRAY['T' || n]
    FROM generate_series(0, 9) AS v, generate_series(1, 600) AS n`)
  await fill(sql.unsafe`
    INSERT INTO venue_flag_event (instance_id, flag, meaning, raised, at)
    SELECT instance_id, 'f' || n, 'caution', true, ${at} FROM token_instance, generate_series(1, 3) AS n`)
  await fill(sql.unsafe`
    INSERT INTO lifecycle_event (token_id, seq, instance_id, from_state, to_state, cause, evidence, at)
    SELECT token_id, n, instance_id, 'new', 'active', 'c', '{}', ${at} FROM token_instance, generate_series(1, 2) AS n`)
  await fill(sql.unsafe`
    INSERT INTO target_hours (instance_id, read_at, first_hour, high, low, close, volume_usd, spread_bps, depth_2pct_usd, depth_truncated)
    SELECT instance_id, ${at} - instance_id * interval '1 second', ${at}, '{1}', '{1}', '{1}', '{1}', '{1}', '{1}', '{false}' FROM token_instance`)
  await fill(sql.unsafe`INSERT INTO target_account (account_id, tier) SELECT a, 1 FROM generate_series(1, 2000) AS a`)
  await fill(sql.unsafe`
    INSERT INTO target (account_id, token_id, status, added_at)
    SELECT 1 + instance_id % 2000, token_id, CASE WHEN instance_id % 500 = 0 THEN 'paused' ELSE 'active' END, ${at} FROM token_instance`)
  await fill(sql.unsafe`
    INSERT INTO regulated_list (venue, read_at, source, assets)
    SELECT 'list' || v, ${at} - n * interval '1 day', 'live', '{A}' FROM generate_series(1, 4) AS v, generate_series(1, 1000) AS n`)
  await fill(sql.unsafe`ANALYZE`)
  await owner.end()
  pool = await openPool(database.url, { size: 1 })
})
afterAll(async () => {
  await pool?.end()
})

const span = { from: new Date(now.getTime() - 7 * 86_400_000), to: now, max: 500 }

/** Tables that grow, which the statement must not read as a whole. */
const cases: readonly [what: string, work: (db: Tx) => Promise<unknown>, index: RegExp, ...grow: string[]][] = [
  ['the pair of a history', (db) => pairOfToken(db, TOKEN), /token_pkey/, 'token', 'token_instance'],
  ['the points of a history', (db) => readPoints(db, [INSTANCE], 60, span), /board_point_60_\d+_pkey/, 'board_point'],
  [
    'a point of a time',
    (db) => readPointAt(db, [INSTANCE], 5, { at: now, within: 900_000 }),
    /board_point_5_\d+_pkey/,
    'board_point',
  ],
  ['the hours of a pair', (db) => readTargetHours(db, INSTANCE), /target_hours_pkey/, 'target_hours'],
  [
    'the announcements that name assets',
    (db) => noticesSince(db, 'venue1', new Date(now.getTime() - 365 * 86_400_000)),
    /venue_announcement_of_assets/,
    'venue_announcement',
  ],
  [
    'the reading of a page',
    (db) => noteReading(db, 'venue1', true, now).catch(() => null),
    /venue_announcement_of_assets/,
    'venue_announcement',
  ],
  [
    'the notices of a pair',
    (db) => noticesOf(db, INSTANCE, 20),
    /venue_flag_event_\w+[\s\S]*venue_announcement_\w+/,
    'venue_flag_event',
    'venue_announcement',
    'lifecycle_event',
    'token',
    'token_instance',
  ],
  [
    'the newest regulated lists',
    (db) => newestRegulatedLists(db, ['list1', 'list2']),
    /regulated_list_pkey/,
    'regulated_list',
  ],
  ['the listings of an asset', (db) => listingsOf(db, 'T77', null), /Index|Bitmap/, 'token_instance'],
]

test.each(cases)('%s is found by an index, however much is stored', async (_what, work, index, ...grow) => {
  const plan = await plansOf(pool, work)
  expect(plan).toMatch(index)
  for (const table of grow) expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}(_\\d+)*( |$)`, 'm'))
})

test('pairs whose hours are due, and paused targets that wait for a place, are found by indexes', async () => {
  expect(await plansOf(pool, (db) => hoursDue(db, ['venue1'], now, [], 50))).toMatch(/Index/)
  expect(await plansOf(pool, (db) => waitingTargets(db, [10, 50, 200], 100))).toContain('target_paused')
})
