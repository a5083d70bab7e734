import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startRig } from '../rig.ts'

const rig = opened(() => startRig({}, ['binance']))
const DAY_MS = 86_400_000

/** Returns the first day of the month that lies so many months before the rig's clock. */
const monthBefore = (months: number): string => {
  const now = rig.clock.now()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Stores the ranks of pairs on a day: the first has 0, the next 1, and so on. */
const rank = (day: string, ids: readonly number[]) =>
  rig.context.pool.query(sql.unsafe`
    INSERT INTO rank_day (part, day, instance_ids, rank)
    SELECT 1_000_000, ${day}::date, array_agg(id), array_agg(rank) FROM ${sql.unnest(
      ids.map((id, place) => [id, place] as const),
      ['int4', 'int2'],
    )} AS one (id, rank)`)
const announce = (id: number, day: string) =>
  rig.context.pool.query(sql.unsafe`
    INSERT INTO venue_flag_event (instance_id, flag, meaning, raised, at)
    VALUES (${id}, 'delist', 'delisting_announced', true, ${`${day}T12:00:00Z`}::timestamptz)`)
const crisis = (id: number, rule: string, day: string, closed: string | null, reason: string | null) =>
  rig.context.pool.query(sql.unsafe`
    INSERT INTO crisis_episode (instance_id, rule, severity, peak_strength, inputs, rules_version, opened_at, closed_at, close_reason)
    VALUES (${id}, ${rule}, 1, 1, '{}'::jsonb, 'test', ${`${day}T00:00:00Z`}::timestamptz, ${closed}::timestamptz, ${reason})`)

test('nothing is stated before a month is over', async () => {
  expect(await rig.client.readScoreboard({})).toMatchObject({ since: null, scores: [], rules: [] })
  await rig.run('listMarkets')
  const today = rig.clock.now().toISOString().slice(0, 10)
  await rank(today, [1, 2, 3])
  expect(await rig.run('keepScoreboard')).toBe(0)
  expect(await rig.client.readScoreboard({})).toMatchObject({ since: today, scores: [], rules: [] })
  expect(await refusalOf(rig.client.readScoreboard({ month: '2026-01' } as never))).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/month' }],
  })
})

test('a month is judged once, by ranks of its begin and by what came after them', async () => {
  const ids = await rig.context.pool.anyFirst(
    sql.type(z.object({ id: z.number() }))`SELECT instance_id AS id FROM token_instance ORDER BY id LIMIT 40`,
  )
  expect(ids).toHaveLength(40)
  const month = monthBefore(5)
  // The first two days of the month have no board.
  const snapshot = dayAfter(month, 2)
  await rank(snapshot, ids)
  await rank(dayAfter(month, 12), ids.slice(0, 20))
  // Announced before: no longer a pair that can be announced. The highest five and the lowest follow, one of them after 60 days.
  await announce(ids[20] ?? 0, dayAfter(snapshot, -9))
  for (const [place, days] of [
    [39, 3],
    [38, 9],
    [37, 20],
    [36, 30],
    [0, 1],
    [35, 60],
  ] as const)
    // prettier-ignore
    await announce(ids[place] ?? 0, dayAfter(snapshot, days))
  const [one = 0, two = 0] = ids
  await crisis(one, 'crash', dayAfter(month, 2), `${dayAfter(month, 4)}T00:00:00Z`, 'recovered')
  await crisis(one, 'crash', dayAfter(month, 12), `${dayAfter(month, 60)}T00:00:00Z`, 'ended')
  await crisis(two, 'crash', dayAfter(month, 12), `${dayAfter(month, 13)}T00:00:00Z`, null)
  // On a day without a board nobody counted the pairs.
  await crisis(two, 'crash', dayAfter(month, 5), `${dayAfter(month, 6)}T00:00:00Z`, 'recovered')
  await crisis(two, 'halt', dayAfter(monthBefore(4), 1), null, null)
  expect(await rig.run('keepScoreboard')).toBeGreaterThan(0)
  const board = await rig.client.readScoreboard({})
  const name = month.slice(0, 7)
  expect(board.since).toBe(snapshot)
  // 30 days: five of 39, four of which beat all 34 others. 90 days: a sixth, which beats 33 of 33. A year is not over.
  expect(board.scores).toMatchObject([
    { month: name, snapshot, days: 30, pairs: 39, delisted: 5, top_tenth: { pairs: 4, delisted: 4 } },
    { month: name, snapshot, days: 90, pairs: 39, delisted: 6, top_tenth: { pairs: 4, delisted: 4 } },
  ])
  expect(board.scores.map(({ auc }) => auc)).toEqual([4 / 5, 5 / 6])
  const rules = board.rules.filter((row) => row.month === name)
  expect(rules).toHaveLength(7)
  expect(rules.find(({ rule }) => rule === 'crash')).toMatchObject({
    days: 2,
    pairs: 30,
    episodes: 3,
    alerted: 2,
    per_100_pairs_week: 35,
    closed: { recovered: 1, ended: 0, unknown: 1 },
  })
  expect(rules.find(({ rule }) => rule === 'halt')).toMatchObject({ episodes: 0, per_100_pairs_week: 0 })
  // What is stored stays, whatever becomes known afterwards.
  await announce(ids[10] ?? 0, dayAfter(snapshot, 5))
  expect(await rig.run('keepScoreboard')).toBe(0)
  expect(await rig.client.readScoreboard({})).toEqual(board)
})
