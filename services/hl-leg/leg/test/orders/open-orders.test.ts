import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { outboundGauges } from '@svc/outbound'
import { migrationOf } from '@svc/outbound/template'
import { sql } from '@svc/postgres'
import { Outage } from '@svc/service'
import { inherited, opened, refusalOf } from '@svc/testing'
import { sendingThrough } from '@svc/venue-rig/sending-through'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { placeLegOrder } from '#orders/operations/place-leg-order.ts'
import { legOrderKind } from '#orders/store/orders.ts'
import { callOf } from './dying.ts'
import { asAgent, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())
beforeEach(() => {
  rig.venue.control('clear-faults')
  rig.books.after = null
})
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const migration = new URL('../../migrations/0038-outbound-orders.sql', import.meta.url)

const buy = (leg: TestLeg) => ({ public_id: leg.publicId, market: 'hl:BTC', side: 'buy', amount_usdc: '100' }) as const
const place = (leg: TestLeg) => asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
const fault = (kind: string, endpoint: 'exchange' | 'info', type: string, count: number) =>
  rig.venue.control('fault', { kind, endpoint, type, count })
const blind = () => fault('status500', 'info', 'exchangeStatus', 100)
const sent = () => Number((rig.venue.control('counts') as Record<string, number>)['exchange order'] ?? 0)
const executed = (leg: TestLeg) => rig.accountOf(leg).fills.length
const endsOf = (leg: TestLeg) => [...rig.books.ended.values()].filter(({ public_id }) => public_id === leg.publicId)
async function goOn(ms = 3_000) {
  rig.advance(ms)
  await resolveOrders(rig.context)(AbortSignal.timeout(600_000))
}

const effectRow = z.object({
  id: z.number(),
  state: z.string(),
  sends: z.number(),
  effect_state: z.string(),
  effect_outcome: z.string().nullable(),
  effect_copies: z.number(),
  informed: z.boolean(),
})
const effectOf = ({ publicId }: TestLeg) =>
  rig.pool.one(sql.type(effectRow)`
    SELECT id, state, sends, effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed
    FROM leg_order WHERE public_id = ${publicId}`)

/** Makes an order of which no copy reached the venue. */
async function lostOrder(): Promise<TestLeg> {
  const leg = await rig.newLeg()
  fault('status500', 'exchange', 'order', 100)
  expect(await place(leg)).toMatchObject({ code: 'order_unresolved' })
  rig.venue.control('clear-faults')
  return leg
}

/** Makes an order that executed, and of which nobody heard. */
async function unheardOrder(): Promise<TestLeg> {
  const leg = await rig.newLeg()
  fault('drop', 'exchange', 'order', 1)
  blind()
  expect(await place(leg)).toMatchObject({ code: 'order_unresolved' })
  rig.venue.control('clear-faults')
  return leg
}

/** Makes an order that mandates does not judge in time. */
async function judgedOrder(): Promise<TestLeg> {
  const leg = await rig.newLeg()
  rig.books.after = () => {
    throw new Outage('test', 'the answer is lost')
  }
  await expect(place(leg)).rejects.toMatchObject({ name: 'Outage' })
  rig.books.after = null
  return leg
}

/** Makes all rows those of the last release, which knew none of the shared columns. */
const forgetEffects = () =>
  rig.pool.query(sql.unsafe`
    UPDATE leg_order SET effect_state = DEFAULT, effect_since = DEFAULT, effect_outcome = NULL, effect_evidence = NULL,
      effect_copies = DEFAULT, effect_over_after = NULL, effect_claim = NULL, effect_claim_until = NULL,
      effect_next_at = DEFAULT, effect_informed_at = NULL`)

test('the migration is the one of the package', async () => {
  expect(await readFile(migration, 'utf8')).toBe(migrationOf('leg_order', legOrderKind.former))
})

test('an order of the last release goes on exactly once from each state: judging, signed and each end, told or not', async () => {
  const late = await lostOrder()
  rig.advance(40_000)
  const [lost, arrived, judging, left] = [
    await lostOrder(),
    await unheardOrder(),
    await judgedOrder(),
    await judgedOrder(),
  ]
  // A call of the last release judges it.
  const now = rig.clock.now().toISOString()
  await rig.pool.query(sql.unsafe`UPDATE leg_order SET claimed_at = ${now} WHERE public_id = ${judging.publicId}`)
  const [filled, untold, missed] = [await rig.newLeg(), await rig.newLeg(), await judgedOrder()]
  await place(filled)
  await place(untold)
  rig.books.ended.clear()
  const rejected = await rig.newLeg({ usdc: '1' })
  await refusalOf(place(rejected))
  await rig.pool.query(sql.unsafe`
    UPDATE leg_order SET told_at = NULL, receipt = NULL, next_at = now() WHERE public_id = ${untold.publicId}`)
  await rig.pool.query(sql.unsafe`
    UPDATE leg_order SET state = 'missed', resolved_at = ${now}, next_at = ${now} WHERE public_id = ${missed.publicId}`)
  const all = [late, lost, arrived, judging, left, filled, untold, missed, rejected]
  const states = async () => (await Promise.all(all.map(effectOf))).map(({ state }) => state)
  const before = ['signed', 'signed', 'signed', 'judging', 'judging', 'filled', 'filled', 'missed', 'rejected']
  expect(await states()).toEqual(before)

  await forgetEffects()
  const copies = sent()
  await goOn(1_000)
  expect(await states()).toEqual(['missed', 'filled', 'filled', 'judging', 'missed', ...before.slice(5)])
  expect(sent() - copies).toBe(1)
  for (const _ of [1, 2]) await goOn(31_000)
  expect((await Promise.all(all.map(effectOf))).map((row) => [row.state, row.effect_outcome])).toEqual([
    ['missed', 'expired'],
    ['filled', 'done'],
    ['filled', 'done'],
    ['missed', 'abandoned'],
    ['missed', 'abandoned'],
    ['filled', 'done'],
    ['filled', 'done'],
    ['missed', 'abandoned'],
    ['rejected', 'refused'],
  ])
  for (const one of all) expect(await effectOf(one)).toMatchObject({ effect_state: 'ended', informed: true })
  expect([all.map(executed), sent() - copies]).toEqual([[0, 1, 1, 0, 0, 1, 1, 0, 0], 1])
  // What the last release told mandates is not told again.
  expect(all.map((one) => endsOf(one).map(({ outcome }) => outcome))).toEqual([
    ['missed'],
    ['filled'],
    ['filled'],
    ['missed'],
    ['missed'],
    [],
    ['filled'],
    ['missed'],
    ['missed'],
  ])
  expect(await place(untold)).toMatchObject({ order: { status: 'filled' }, receipt: expect.any(String) })
})

test('while both releases run, each counts the copies of the other, and a refusal ends no order of which both send one', async () => {
  const lost = await lostOrder()
  const { sends, effect_copies } = await effectOf(lost)
  expect([sends, effect_copies]).toEqual([3, 3])
  // What the last release ended is not sent again, and it is told what it did not tell.
  await rig.pool.query(sql.unsafe`
    UPDATE leg_order SET state = 'missed', resolved_at = now() WHERE public_id = ${lost.publicId}`)
  const before = sent()
  await goOn(13_000)
  expect(sent()).toBe(before)
  expect(await effectOf(lost)).toMatchObject({ effect_state: 'ended', effect_outcome: 'expired', informed: true })
  expect(endsOf(lost)).toMatchObject([{ outcome: 'missed' }])

  const one = await rig.newLeg()
  fault('refuse', 'exchange', 'order', 1)
  const copied = sendingThrough(rig.context, async (send) => {
    await rig.pool.query(
      sql.unsafe`UPDATE leg_order SET sends = sends + 1 WHERE public_id = ${one.publicId} AND sends = 1`,
    )
    return send()
  })
  const { body } = await placeLegOrder(copied)(
    { ...buy(one), reduce_only: false, dry_run: false },
    callOf(rig, copied, one, 'k'),
  )
  expect(body).toMatchObject({ order: { status: 'filled' } })
  expect(executed(one)).toBe(1)
})

test('an order of which the venue says nothing for days stays open, is counted, and ends as what the venue then says', async () => {
  const leg = await unheardOrder()
  blind()
  const read = outboundGauges(rig.pool, [legOrderKind])['hub_outbound_open']?.read
  for (const ms of [60_000, 86_400_000, 86_400_000]) {
    await goOn(ms)
    expect(await read?.()).toContainEqual({ labels: { kind: 'leg_order', state: 'sent' }, value: 1 })
  }
  rig.venue.control('clear-faults')
  await goOn()
  expect(await effectOf(leg)).toMatchObject({ state: 'filled', effect_outcome: 'done', effect_copies: 1 })
  expect(executed(leg)).toBe(1)
})

test('an operator lists open orders, reads one without its bytes, makes one due and ends none, in a process of its own', async () => {
  const leg = await lostOrder()
  const env = { ...inherited(), ...rig.environment() } as NodeJS.ProcessEnv
  const printed = async (args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env })
    return stdout.split('\n').flatMap((line) => (line.startsWith('{"id"') ? [JSON.parse(line) as unknown] : []))
  }
  const id = `leg_order-${(await effectOf(leg)).id}`
  expect(await printed(['--outbound', 'list'])).toMatchObject([{ id, effect_state: 'sent', effect_copies: 3 }])
  const [shown] = await printed(['--outbound', 'show', id])
  expect(shown).toMatchObject({ state: 'signed', market: 'hl:BTC' })
  expect(shown).not.toHaveProperty('body')
  const given = JSON.stringify({ by: 'Kim', why: 'the venue lists nothing' })
  await expect(printed(['--outbound', 'end', id, 'expired', given])).rejects.toThrow('cannot be ended by hand')
  await printed(['--outbound', 'retry', id])
  await goOn(0)
  expect(await effectOf(leg)).toMatchObject({ state: 'filled', effect_outcome: 'done' })
  expect(await printed(['--outbound', 'list'])).toEqual([])
})
