import { sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { AMBIGUOUS_TICKERS, REGULATED_VENUES } from '#assets/rules/regulated-venues.ts'
import { account, MINUTE, startRig } from '../rig.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ids = REGULATED_VENUES.map(({ id }) => id)
const caller = { caller: account() }

const rig = opened(() => startRig({}, ['binance']))

const reading = (unreachable: readonly string[] = []) =>
  rig.newContext({
    MARKET_BREADTH_VENUES: ids.join(','),
    ...Object.fromEntries(
      ids.map((id) => [
        `MARKET_VENUE_BASE_URL_${id.toUpperCase()}`,
        unreachable.includes(id) ? 'http://127.0.0.1:9' : rig.exchange.venueUrl(id),
      ]),
    ),
  })
const listed = () =>
  rig.context.pool.any(
    sql.type(z.object({ venue: z.string(), assets: z.array(z.string()) }))`
      SELECT venue, assets FROM regulated_list ORDER BY read_at, venue`,
  )
const counted = async () =>
  (await rig.client.readCoverage({})).regulated_lists.filter((list) => list.counted).map(({ venue }) => venue)
const factorsOf = async () => {
  const { tokens } = await rig.client.readBoard({ limit: 500 }, caller)
  const answers = await Promise.all(
    tokens.filter((_, place) => place % 3 === 0).map(({ token_id }) => rig.client.explainToken({ token_id }, caller)),
  )
  return answers.map(({ row, risk, worth }) => ({
    row,
    risk,
    worth,
    factor: risk?.factors.find(({ key }) => key === 'regulated_venues'),
  }))
}

test('before a list is read, breadth is unknown and moves no score', async () => {
  for (const job of ['listMarkets', 'observeMarkets', 'rotateBooks'] as const) await rig.run(job)
  for (let read = 1; read > 0;) read = await rig.run('readCandles')
  await rig.minutes(1)
  expect(await rig.run('listRegulated')).toBe(0)
  expect(await counted()).toEqual([])
  for (const { factor } of await factorsOf()) expect(factor).toMatchObject({ value: null, percentile: null, points: 0 })
})

test('two processes read the lists of all regulated venues once a day and store each list once', async () => {
  const contexts = await Promise.all([reading(), reading()])
  const both = () => Promise.all(contexts.map((context) => rig.run('listRegulated', context)))
  const [one = 0, other = 0] = await both()
  expect(one + other).toBe(ids.length)
  const lists = await listed()
  expect(lists.map(({ venue }) => venue)).toEqual(ids)
  const base = new Set((await rig.client.readBoard({ limit: 500 }, caller)).tokens.map((row) => row.base))
  for (const { assets } of lists) {
    expect(assets.length).toBeGreaterThan(3)
    expect(assets).toEqual(assets.toSorted())
    for (const asset of assets) expect(base.has(asset), asset).toBe(true)
  }
  rig.exchange.clock.advance(23 * HOUR)
  expect(await both()).toEqual([0, 0])
  rig.exchange.clock.advance(2 * HOUR)
  await both()
  expect(await listed()).toHaveLength(2 * ids.length)
})

test('the board counts the venues that list an asset, and says what the rank was worth in the past', async () => {
  const before = (await rig.client.readBoard({})).computed_at
  await rig.minutes(1)
  // The answering process looks for another process's snapshot twice a second.
  await eventually(async () => (await rig.client.readBoard({})).computed_at !== before)
  expect(await counted()).toEqual(ids)
  const lists = (await listed()).slice(-ids.length).map(({ assets }) => new Set(assets))
  const all = await factorsOf()
  expect(new Set(all.map(({ factor }) => factor?.value)).size).toBeGreaterThan(1)
  for (const { row, risk, worth, factor } of all) {
    const expected = AMBIGUOUS_TICKERS.has(row.base) ? null : lists.filter((assets) => assets.has(row.base)).length
    expect(factor?.value, row.base).toBe(expected)
    expect(risk?.factors.reduce((sum, { points }) => sum + Math.round(points * 10), 0)).toBe((risk?.score ?? 0) * 10)
    if (risk?.reason === null) expect(worth?.bands).toHaveLength(1)
    else expect(worth).toBeNull()
  }
  const bottom = await rig.client.listRiskBottom({ percent: 50 }, caller)
  expect(bottom.worth?.bands).toHaveLength(10)
  expect(bottom.worth?.model_version).toBe(bottom.tokens[0]?.risk?.model_version)
})

test('a venue that fails, or answers with a short list, loses its count after three days and lowers nothing', async () => {
  const failing = await reading(['kraken'])
  rig.exchange.clock.advance(DAY)
  // As if a third of the list were missing now.
  await rig.context.pool.query(sql.unsafe`
    INSERT INTO regulated_list
    SELECT venue, read_at + interval '1 minute', source, assets || array(SELECT 'X' || n FROM generate_series(1, 100) AS n)
    FROM regulated_list WHERE venue = 'gemini' ORDER BY read_at DESC LIMIT 1`)
  rig.exchange.clock.advance(HOUR)
  expect(await rig.run('listRegulated', failing)).toBe(2)
  const { regulated_lists } = await rig.client.readCoverage({})
  expect(regulated_lists.every((list) => list.counted)).toBe(true)
  rig.exchange.clock.advance(2 * DAY)
  expect(await counted()).toEqual(['bitstamp', 'coinbase'])
  rig.exchange.clock.advance(2 * DAY)
  expect(await counted()).toEqual([])
  // A list that does not count any more refutes no shorter one.
  expect(await rig.run('listRegulated', failing)).toBe(3)
  expect(await counted()).toEqual(['bitstamp', 'coinbase', 'gemini'])
})

test('the newest lists are found by the index, however many are stored', async () => {
  await rig.context.pool.query(sql.unsafe`
    INSERT INTO regulated_list
    SELECT venue, read_at - n * interval '1 day', source, assets FROM regulated_list, generate_series(100, 1000) AS n
    ON CONFLICT DO NOTHING`)
  const plan = await rig.context.pool.anyFirst(
    sql.type(z.object({ 'QUERY PLAN': z.string() }))`EXPLAIN
      SELECT list.venue FROM unnest(ARRAY['kraken', 'gemini']) AS named (venue), LATERAL (
        SELECT * FROM regulated_list WHERE regulated_list.venue = named.venue ORDER BY read_at DESC LIMIT 1) AS list`,
  )
  expect(plan.join('\n')).toContain('regulated_list_pkey')
  expect(plan.join('\n')).not.toContain('Seq Scan on regulated_list')
})
