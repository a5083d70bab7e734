import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { PreparedOrder } from '@svc/contracts/hl-trade/order-schemas'
import { outboundGauges } from '@svc/outbound'
import { migrationOf } from '@svc/outbound/template'
import { sql } from '@svc/postgres'
import { inherited, opened, refusalOf } from '@svc/testing'
import { sendingThrough } from '@svc/venue-rig/sending-through'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { executeTrade } from '#orders/execute-trade.ts'
import { ownOrderKind, tradeByConfirm } from '#orders/store/trade-orders.ts'
import { asOwner, startOrderRig, type Trader } from './order-rig.ts'

const rig = opened(() => startOrderRig())
beforeEach(() => rig.heal())
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const migration = new URL('../../migrations/0055-outbound-orders.sql', import.meta.url)

const buy = { market: 'hl:BTC', side: 'buy', amount_usdc: '60', mode: 'live' } as const
const prepare = (one: Trader) => asOwner(rig, one).prepareOrder(buy)
const execute = (one: Trader, { confirm_id }: PreparedOrder) =>
  asOwner(rig, one).executeOrder({ confirm_id: confirm_id ?? 'none' })
const blind = () =>
  rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'exchangeStatus', count: 100 })

const effectRow = z.object({
  id: z.number(),
  state: z.string(),
  sends: z.number(),
  effect_state: z.string(),
  effect_outcome: z.string().nullable(),
  effect_copies: z.number(),
  informed: z.boolean(),
})
const effectOf = ({ id }: Trader) =>
  rig.pool.one(sql.type(effectRow)`
    SELECT id, state, sends, effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed
    FROM trade_order WHERE owner_id = ${id}`)
const executedOf = (one: Trader) => rig.accountOf(one).orders.length

/** Makes an order of which no copy reached the venue. */
async function lostOrder(): Promise<Trader> {
  const one = await rig.trader()
  const prepared = await prepare(one)
  rig.fault('status500', { count: 100 })
  expect(await execute(one, prepared)).toMatchObject({ code: 'order_unresolved' })
  rig.venue.control('clear-faults')
  return one
}

/** Makes all rows those of the last release, which knew none of the shared columns and let its job go on with what it left behind. */
const forgetEffects = () =>
  rig.pool.query(sql.unsafe`
    UPDATE trade_order SET effect_state = DEFAULT, effect_since = DEFAULT, effect_outcome = NULL, effect_evidence = NULL,
      effect_copies = DEFAULT, effect_over_after = NULL, effect_claim = NULL, effect_claim_until = NULL,
      effect_next_at = DEFAULT, effect_informed_at = NULL`)

test('the migration is the one of the package', async () => {
  expect(await readFile(migration, 'utf8')).toBe(migrationOf('trade_order', ownOrderKind.former))
})

test('an order of the last release goes on exactly once from each state: prepared, offered, signed and each end', async () => {
  const late = await lostOrder()
  rig.advance(40_000)
  const lost = await lostOrder()
  const arrived = await rig.trader()
  rig.fault('drop', { count: 1 })
  const sent = await prepare(arrived)
  blind()
  expect(await execute(arrived, sent)).toMatchObject({ code: 'order_unresolved' })
  rig.venue.control('clear-faults')
  const web = { orderKey: false, webKey: true } as const
  const [posted, unposted] = [await rig.trader(web), await rig.trader(web)]
  await rig.postSigned(posted, await prepare(posted))
  await prepare(unposted)
  const [waiting, unconfirmed, filled] = [await rig.trader(), await rig.trader(), await rig.trader()]
  const confirmed = await prepare(waiting)
  await prepare(unconfirmed)
  await execute(filled, await prepare(filled))
  const rejected = await rig.trader({ usdc: '1' })
  await refusalOf(execute(rejected, await prepare(rejected)))
  const paper = await rig.trader({ linked: false })
  await asOwner(rig, paper).createPaperBook({ name: 'Paper', start_usdc: '1000' })
  await asOwner(rig, paper).prepareOrder({ ...buy, mode: 'paper' })
  const all = [late, lost, arrived, posted, unposted, waiting, unconfirmed, filled, rejected, paper]
  const states = async () => (await Promise.all(all.map(effectOf))).map(({ state }) => state)
  expect(await states()).toEqual([
    'signed',
    'signed',
    'signed',
    'offered',
    'offered',
    'prepared',
    'prepared',
    'filled',
    'rejected',
    'filled',
  ])

  await forgetEffects()
  const before = rig.sent()
  await rig.resolve()
  expect((await states()).slice(0, 3)).toEqual(['missed', 'filled', 'filled'])
  expect(rig.sent() - before).toBe(1)
  expect(await execute(waiting, confirmed)).toMatchObject({ order: { status: 'filled' } })
  for (const _ of [1, 2, 3]) {
    rig.advance(61_000)
    await rig.resolve()
  }
  const ends = (await Promise.all(all.map(effectOf))).map((row) => [row.state, row.effect_outcome])
  expect(ends).toEqual([
    ['missed', 'expired'],
    ['filled', 'done'],
    ['filled', 'done'],
    ['filled', 'done'],
    ['missed', 'expired'],
    ['filled', 'done'],
    ['expired', 'abandoned'],
    ['filled', 'done'],
    ['rejected', 'refused'],
    ['filled', 'done'],
  ])
  for (const one of all) expect(await effectOf(one)).toMatchObject({ effect_state: 'ended', informed: true })
  expect(all.slice(0, 9).map(executedOf)).toEqual([0, 1, 1, 1, 0, 1, 0, 1, 1])
  expect(rig.sent() - before).toBe(2)
})

test('while both releases run, each counts the copies of the other, and a refusal ends no order of which both send one', async () => {
  const lost = await lostOrder()
  const { sends, effect_copies } = await effectOf(lost)
  expect([sends, effect_copies]).toEqual([3, 3])
  // What the last release ended is not sent again.
  await rig.pool.query(sql.unsafe`
    UPDATE trade_order SET state = 'missed', resolved_at = now(), next_at = NULL WHERE owner_id = ${lost.id}`)
  const before = rig.sent()
  rig.advance(13_000)
  await rig.resolve()
  expect(rig.sent()).toBe(before)
  expect(await effectOf(lost)).toMatchObject({ effect_state: 'ended', effect_outcome: 'expired', informed: true })

  const one = await rig.trader()
  const { confirm_id } = await prepare(one)
  const order = (await tradeByConfirm(rig.pool, one.id, confirm_id ?? '')) ?? expect.fail('not prepared')
  rig.fault('refuse', { count: 1 })
  const copied = sendingThrough(rig.context, async (send) => {
    await rig.pool.query(sql.unsafe`UPDATE trade_order SET sends = sends + 1 WHERE owner_id = ${one.id} AND sends = 1`)
    return send()
  })
  expect(await executeTrade(copied, order)).toMatchObject({ state: 'filled' })
  expect(executedOf(one)).toBe(1)
})

test('an order of which the venue says nothing for days stays open, is counted, and ends as what the venue then says', async () => {
  const one = await rig.trader()
  const prepared = await prepare(one)
  rig.fault('drop', { count: 1 })
  blind()
  expect(await execute(one, prepared)).toMatchObject({ code: 'order_unresolved' })
  const read = outboundGauges(rig.pool, [ownOrderKind])['hub_outbound_open']?.read
  const series = { labels: { kind: 'own_order', state: 'sent' }, value: 1 }
  for (const ms of [60_000, 86_400_000, 86_400_000]) {
    rig.advance(ms)
    await rig.resolve()
    expect(await read?.()).toContainEqual(series)
  }
  rig.venue.control('clear-faults')
  rig.advance(3_000)
  await rig.resolve()
  expect(await effectOf(one)).toMatchObject({ state: 'filled', effect_outcome: 'done', effect_copies: 1 })
  expect(executedOf(one)).toBe(1)
})

test('an operator lists open orders, reads one without its bytes, and makes one due, in a process of its own', async () => {
  const one = await lostOrder()
  const env = { ...inherited(), ...rig.environment() } as NodeJS.ProcessEnv
  const printed = async (args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env })
    return stdout.split('\n').flatMap((line) => (line.startsWith('{"id"') ? [JSON.parse(line) as unknown] : []))
  }
  const id = `own_order-${(await effectOf(one)).id}`
  expect(await printed(['--outbound', 'list'])).toMatchObject([{ id, effect_state: 'sent', effect_copies: 3 }])
  const [shown] = await printed(['--outbound', 'show', id])
  expect(shown).toMatchObject({ state: 'signed', market: 'hl:BTC' })
  expect(shown).not.toHaveProperty('body')
  await printed(['--outbound', 'retry', id])
  await rig.resolve()
  expect(await effectOf(one)).toMatchObject({ state: 'filled', effect_outcome: 'done' })
  expect(await printed(['--outbound', 'list'])).toEqual([])
})
