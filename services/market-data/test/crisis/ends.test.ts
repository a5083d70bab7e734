import { sql } from '@svc/postgres'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { UNKNOWN_MINUTES } from '../../src/crisis/rules/crisis.ts'
import { startNeighbours, type Neighbours } from '../neighbours.ts'
import { MINUTE, startRig, type Rig } from '../rig.ts'

const DAY = 86_400_000
let rig: Rig
let neighbours: Neighbours

beforeAll(async () => {
  rig = await startRig({ tokens: 60 }, ['binance', 'gate'])
  neighbours = await startNeighbours(rig.stack)
})
afterAll(async () => {
  await neighbours.stop()
  await rig.stop()
})

async function step(minutes = 1): Promise<void> {
  rig.exchange.clock.advance(minutes * MINUTE)
  await rig.run('listMarkets')
  await rig.run('observeMarkets')
  await rig.run('watchCrisis')
}
const closedItem = (episodeId: string | undefined) =>
  neighbours.told('crisis_alerts').find((item) => item['change'] === 'closed' && item['episode_id'] === episodeId)
const listed = async (is: (item: { rule: string; symbol: string }) => boolean) =>
  (await rig.client.listCrisisAlerts({ state: 'all', limit: 500 })).items.find(is)

it('a halt that the venue stated recovers after the venue says that the pair trades, although nobody counts its trades', async () => {
  const from = rig.exchange.clock.now()
  const halt = rig.exchange.feed
    .events(from, from + 60 * DAY, 100_000)
    .find((event) => event.kind === 'halt' && event.venue === 'binance' && event.symbol.endsWith('/USDT'))
  if (halt === undefined) throw new Error('the seed has no halt')
  rig.exchange.clock.set(Math.floor(halt.at / MINUTE) * MINUTE - 6 * MINUTE)
  const one = () => listed((item) => item.rule === 'halt' && item.symbol === halt.symbol)
  await step()
  expect(await one()).toBeUndefined()
  for (let n = 0; n < 4 && (await one()) === undefined; n += 1) await step(5)
  expect(await one()).toMatchObject({ closed_at: null, inputs: { halted: true } })
  // A halt lasts at most 90 minutes; then fifteen judged minutes have to be calm.
  for (let n = 0; n < 60 && (await one())?.closed_at === null; n += 1) await step(n < 18 ? 5 : 1)
  const closed = await one()
  expect(closed).toMatchObject({ close_reason: 'recovered', closed_as: 'recovered' })
  await eventually(() => closedItem(closed?.episode_id) !== undefined)
  expect(closedItem(closed?.episode_id)).toMatchObject({ closed_as: 'recovered' })
})

it('an episode that the last release left open, and that cannot be judged, ends as unknown after twelve hours', async () => {
  const { pool } = rig.context
  // A pair of one venue only has no price at other venues.
  const row = z.object({ instance_id: z.number(), symbol: z.string() })
  const alone = await pool.one(sql.type(row)`
    SELECT instance_id, symbol FROM token JOIN token_instance USING (instance_id) WHERE trading = 'trading' AND exchange = 'gate'
      AND base IN (SELECT base FROM token GROUP BY base HAVING count(DISTINCT exchange) = 1) ORDER BY instance_id LIMIT 1`)
  await pool.query(sql.unsafe`
    INSERT INTO crisis_episode (instance_id, rule, severity, peak_strength, inputs, rules_version, opened_at)
    VALUES (${alone.instance_id}, 'cross_venue_gap', 1, 1, '{"gap": 0.06}', 'crisis-1', ${rig.clock.now().toISOString()}::timestamptz - interval '3 days')`)
  const one = () => listed((item) => item.rule === 'cross_venue_gap' && item.symbol === alone.symbol)
  const next = await rig.newContext()
  const judge = async (minutes: number) => {
    await step(minutes)
    await rig.run('watchCrisis', next)
  }
  await judge(1)
  for (let minutes = 0; minutes + 60 < UNKNOWN_MINUTES; minutes += 60) await judge(60)
  expect(await one()).toMatchObject({ closed_at: null })
  await judge(60)
  const closed = await one()
  expect(closed).toMatchObject({ closed_at: expect.any(String), close_reason: null, closed_as: 'unknown' })
  await eventually(() => closedItem(closed?.episode_id) !== undefined)
  expect(closedItem(closed?.episode_id)).toMatchObject({
    closed_as: 'unknown',
    text: expect.stringContaining('not judged for 12 hours'),
  })
})

it('episodes of pairs that leave the list of their venue end with them, those of the others stay', async () => {
  const { pool } = rig.context
  await step()
  await pool.query(sql.unsafe`
    INSERT INTO crisis_episode (instance_id, rule, severity, peak_strength, inputs, rules_version, opened_at)
    SELECT instance_id, 'spread_blowout', 1, 1, '{}', 'crisis-1', ${rig.clock.now().toISOString()}
    FROM token JOIN token_instance USING (instance_id) WHERE trading = 'trading' AND exchange = 'binance'`)
  rig.exchange.faults.set('binance', { listedShare: 0.95 })
  for (let list = 0; list < 4; list += 1) await step(5)
  rig.exchange.faults.clear('binance')
  const ends = z.object({ trading: z.string(), reason: z.string().nullable(), count: z.number() })
  const found = await pool.any(sql.type(ends)`
    SELECT (trading = 'delisted')::text AS trading, close_reason AS reason, count(*)::int AS count
    FROM crisis_episode JOIN token_instance USING (instance_id) WHERE rule = 'spread_blowout' GROUP BY 1, 2 ORDER BY 1`)
  expect(found).toEqual([
    { trading: 'false', reason: null, count: expect.any(Number) },
    { trading: 'true', reason: 'ended', count: expect.any(Number) },
  ])
  const ended = found[1]?.count ?? 0
  await eventually(
    () => neighbours.told('crisis_alerts').filter((item) => item['closed_as'] === 'ended').length >= ended,
  )
})

it('episodes end as unknown if all venues are silent, and not within an outage of eleven hours', async () => {
  const { pool } = rig.context
  await step()
  await pool.query(sql.unsafe`
    INSERT INTO crisis_episode (instance_id, rule, severity, peak_strength, inputs, rules_version, opened_at)
    SELECT min(instance_id), 'depeg', 1, 1, '{"price_usd": 0.98}', 'crisis-1', ${rig.clock.now().toISOString()}
    FROM token_instance WHERE trading = 'trading'`)
  const next = await rig.newContext()
  await rig.run('watchCrisis', next)
  for (const venue of ['binance', 'gate']) rig.exchange.faults.set(venue, { disconnect: true })
  const reason = async () => (await listed(({ rule }) => rule === 'depeg'))?.closed_as
  rig.exchange.clock.advance(11 * 60 * MINUTE)
  await rig.run('observeMarkets')
  await rig.run('watchCrisis', next)
  expect(await reason()).toBeUndefined()
  rig.exchange.clock.advance(61 * MINUTE)
  await rig.run('observeMarkets')
  await rig.run('watchCrisis', next)
  expect(await reason()).toBe('unknown')
})
