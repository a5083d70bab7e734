import { venueFile } from '@svc/contracts/market-data/venues'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { scanCapacity } from '#venues/rules/scan-capacity.ts'
import { account, MINUTE, startRig } from '../rig.ts'

/** A number of pairs beside which the allowance of Upbit carries three scans. */
const PAIRS = Array.from({ length: 40_000 }, (_, pairs) => pairs).find(
  (pairs) => scanCapacity(venueFile('upbit'), pairs) === 3,
)
let lastAccount = 500
const person = () => ({ caller: { ...account(1), account_id: (lastAccount += 1) } })
const pairs = (offset: number, count: number) =>
  rig.context.pool.any(sql.type(z.object({ exchange: z.string(), symbol: z.string(), instance_id: z.number() }))`
    SELECT exchange, symbol, instance_id FROM token JOIN token_instance USING (instance_id, token_id)
    WHERE exchange = 'upbit' AND trading = 'trading' ORDER BY symbol LIMIT ${count} OFFSET ${offset}`)
const add = ({ exchange, symbol }: { exchange: string; symbol: string }, as = person()) =>
  rig.client.addTarget({ exchange, symbol }, as)

const rig = opened(() => startRig({}, ['upbit'], true))
beforeAll(async () => {
  await rig.minutes(1)
  await rig.context.pool.query(sql.unsafe`UPDATE venue SET list_count = ${PAIRS ?? 0} WHERE exchange = 'upbit'`)
})

it('a venue admits as many pairs as its allowance scans, for concurrent accounts too, and then says that no place is foreseeable', async () => {
  const calls = await Promise.allSettled((await pairs(0, 8)).map((one) => add(one)))
  expect(calls.filter((one) => one.status === 'fulfilled')).toHaveLength(3)
  for (const one of calls)
    if (one.status === 'rejected')
      expect(await refusalOf(Promise.reject(one.reason as Error))).toMatchObject({
        status: 409,
        code: 'venue_full',
        exchange: 'upbit',
        scan_capacity: 3,
        scan_pairs: 3,
        retry_at: null,
        reason: 'not_foreseeable',
      })
})

it('the use of a venue is the same in the coverage and in the targets of an account', async () => {
  const place = { exchange: 'upbit', scan_capacity: 3, scan_pairs: 3 }
  expect((await rig.client.readCoverage({}, {})).exchanges).toMatchObject([place])
  const [watched] = await rig.context.pool.anyFirst(
    sql.type(z.object({ account_id: z.number() }))`SELECT account_id FROM target LIMIT 1`,
  )
  const as = { caller: { ...account(1), account_id: watched ?? 0 } }
  expect((await rig.client.listTargets({}, as)).exchanges).toEqual([place])
})

it('a full venue accepts a pair that is scanned already, and a place that was given back', async () => {
  const [taken] = await rig.context.pool.any(
    sql.type(
      z.object({ exchange: z.string(), symbol: z.string(), account_id: z.number() }),
    )`SELECT exchange, symbol, account_id FROM target JOIN token USING (token_id) ORDER BY account_id LIMIT 1`,
  )
  const [free] = await pairs(20, 1)
  if (taken === undefined || free === undefined) throw new Error('no pair')
  const sharer = person()
  await add(taken, sharer)
  const pair = { exchange: taken.exchange, symbol: taken.symbol }
  await rig.client.removeTarget(pair, { caller: { ...account(1), account_id: taken.account_id } })
  // The other account still watches it: nothing became free.
  expect(await refusalOf(add(free))).toMatchObject({ code: 'venue_full' })
  await rig.client.removeTarget(pair, sharer)
  await add(free)
  expect(await refusalOf(add(taken))).toMatchObject({ code: 'venue_full' })
})

it('a full venue names the time at which a scanned pair ends, if its delisting is announced', async () => {
  const [watched] = await rig.context.pool.any(sql.type(z.object({ instance_id: z.number() }))`
    SELECT instance_id FROM target JOIN token USING (token_id) WHERE status = 'active' LIMIT 1`)
  const ends = new Date(rig.clock.now().getTime() + 60 * MINUTE).toISOString()
  await rig.context.pool.query(sql.unsafe`
    INSERT INTO venue_flag_event (instance_id, flag, meaning, raised, effective_at, at)
    VALUES (${watched?.instance_id ?? 0}, 'delisting_time', 'delisting_announced', true, ${ends}, ${rig.clock.now().toISOString()})`)
  const [other] = await pairs(25, 1)
  if (other === undefined) throw new Error('no pair')
  expect(await refusalOf(add(other))).toMatchObject({
    code: 'venue_full',
    retry_at: ends,
    reason: 'delisting_announced',
  })
})

it('targets that a higher tier resumes wait, paused, while their venue is full, and are resumed when a place becomes free', async () => {
  const { pool } = rig.context
  const waiter = person()
  const [pair] = await pairs(30, 1)
  if (pair === undefined) throw new Error('no pair')
  await pool.query(sql.unsafe`
    INSERT INTO target_account (account_id, tier, tier_seq) VALUES (${waiter.caller.account_id}, 1, 0)`)
  await pool.query(sql.unsafe`
    INSERT INTO target (account_id, token_id, status, added_at)
    SELECT ${waiter.caller.account_id}, token_id, 'paused', ${rig.clock.now().toISOString()} FROM token
    WHERE exchange = ${pair.exchange} AND symbol = ${pair.symbol}`)
  // The jobs of the rig have a thousand times the allowance, which the service that answers has not.
  const context = await rig.newContext({ MARKET_LOCAL_BUDGET_FACTOR: '1' })
  const status = async () => (await rig.client.listTargets({}, waiter)).targets[0]?.status
  const used = async () => (await rig.client.listTargets({}, waiter)).exchanges[0]
  expect(await used()).toMatchObject({ scan_capacity: 3, scan_pairs: 3 })
  await rig.run('keepScans', context)
  expect(await status()).toBe('paused')
  const [taken] = await pool.any(
    sql.type(z.object({ exchange: z.string(), symbol: z.string(), account_id: z.number() }))`
      SELECT exchange, symbol, account_id FROM target JOIN token USING (token_id) WHERE status = 'active' ORDER BY account_id LIMIT 1`,
  )
  const owner = { caller: { ...account(1), account_id: taken?.account_id ?? 0 } }
  await rig.client.removeTarget({ exchange: taken?.exchange ?? '', symbol: taken?.symbol ?? '' }, owner)
  await rig.run('keepScans', context)
  expect(await status()).toBe('active')
  expect(await used()).toMatchObject({ scan_capacity: 3, scan_pairs: 3 })
})
