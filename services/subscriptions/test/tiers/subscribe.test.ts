import { changesNothing, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { checkLedger } from '#ledger/store/ledger.ts'
import { DAY, newAgent, newOwner, openHarness, refused, START } from '../harness.ts'

const on = opened(() => openHarness())

const SOUND = { total: 0n, unequal: 0, negative: 0 }
const after = (days: number) => new Date(new Date(START).getTime() + days * DAY).toISOString()

test('a tier is paid with Cherry, applies at once, and is published', async () => {
  on.clock.set(START)
  const agent = newAgent()
  await on.grant(agent.account_id, 12_000)
  const answer = await on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent))
  expect(answer).toMatchObject({
    ok: true,
    action: 'start',
    tier: 1,
    tier_name: 'tier_1',
    price: 10_000,
    credit: 0,
    charge: 10_000,
    balance: 2_000,
    started_at: START,
    ends_at: after(30),
  })
  expect(await on.ask.resolveTiers({ account_ids: [agent.account_id, newAgent().account_id] })).toMatchObject({
    items: [
      { tier: 1, ends_at: after(30) },
      { tier: 0, ends_at: null },
    ],
  })
  expect(await on.heard('tierChanged', { account_id: agent.account_id })).toEqual([
    { account_id: agent.account_id, previous_tier: 0, tier: 1, ends_at: after(30), cause: 'start' },
  ])
  expect(await on.heard('cherryMoved', { account_id: agent.account_id, kind: 'subscription' })).toMatchObject([
    { amount: -10_000, transfer_id: answer.transfer_id },
  ])
  on.targetsUsed.set(agent.account_id, 3)
  on.reportsUsed.set(agent.account_id, 5)
  expect(await on.ask.readStatus({}, on.as(agent))).toEqual({
    tier: 1,
    tier_name: 'tier_1',
    status: 'active',
    started_at: START,
    ends_at: after(30),
    seconds_left: (30 * DAY) / 1000,
    requests_per_day: 5_000,
    targets: { limit: 10, used: 3 },
    pdf_usage: { limit: 30, used: 5, resets_at: '2026-12-01T00:00:00.000Z' },
  })
})

test('a dry run of a purchase says what it would cost and leave, and changes nothing', async () => {
  on.clock.set(START)
  const agent = newAgent()
  await on.grant(agent.account_id, 12_000)
  const { superuserUrl } = on.stack.databaseOf('subscriptions')
  const bought = { action: 'start', tier: 1, charge: 10_000, balance: 2_000, ends_at: after(30) }
  await changesNothing(superuserUrl, async () => {
    const dry = { tier: 1, months: 1, dry_run: true } as const
    expect(await on.ask.subscribe(dry, on.as(agent, 'a key'))).toMatchObject({
      ...bought,
      dry_run: true,
      transfer_id: null,
    })
    expect(await refused(on.ask.subscribe({ ...dry, tier: 2 }, on.as(agent)))).toMatchObject({
      code: 'insufficient_cherry',
      balance: 12_000,
      needed: 25_000,
    })
  })
  const answer = await on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent, 'a key'))
  expect(answer).toMatchObject(bought)
  expect(answer).not.toHaveProperty('dry_run')
})

test('without enough Cherry nothing changes, and the refusal names the balance and the price', async () => {
  const agent = newAgent()
  expect(await refused(on.ask.subscribe({ tier: 2, months: 2 }, on.as(agent)))).toMatchObject({
    status: 402,
    code: 'insufficient_cherry',
    balance: 10,
    needed: 50_000,
  })
  expect(await on.ask.readStatus({}, on.as(agent))).toMatchObject({
    tier: 0,
    status: 'free',
    ends_at: null,
    targets: { limit: 0, used: null },
  })
})

test('the running tier is extended, a higher one bought with a credit, a lower one refused', async () => {
  on.clock.set(START)
  const owner = newOwner()
  await on.grant(owner.account_id, 40_000)
  await on.ask.subscribe({ tier: 1, months: 1 }, on.as(owner))
  expect(await on.ask.subscribe({ tier: 1, months: 1 }, on.as(owner))).toMatchObject({
    action: 'extend',
    ends_at: after(60),
  })
  on.clock.set(after(15))
  const preview = await on.ask.previewUpgrade({ tier: 2, months: 1 }, on.as(owner))
  expect(preview).toMatchObject({
    action: 'upgrade',
    price: 25_000,
    credit: 15_000,
    charge: 10_000,
    current_tier: 1,
    credit_of: { paid: 20_000, unused_seconds: (45 * DAY) / 1000, bought_seconds: (60 * DAY) / 1000 },
    balance: 20_000,
    affordable: true,
  })
  expect(await on.ask.subscribe({ tier: 2, months: 1 }, on.as(owner))).toMatchObject({
    charge: preview.charge,
    ends_at: preview.ends_at,
    balance: 10_000,
    tier_name: 'tier_2',
  })
  expect(await refused(on.ask.subscribe({ tier: 1, months: 1 }, on.as(owner)))).toMatchObject({
    status: 409,
    code: 'downgrade_not_possible',
    tier: 2,
    ends_at: preview.ends_at,
  })
  expect(await refused(on.ask.previewUpgrade({ tier: 1, months: 1 }, on.as(owner)))).toMatchObject({
    status: 409,
    code: 'downgrade_not_possible',
  })
})

test('credit above the price charges nothing, and no transfer is booked', async () => {
  on.clock.set(START)
  const agent = newAgent()
  await on.grant(agent.account_id, 120_000)
  await on.ask.subscribe({ tier: 1, months: 12 }, on.as(agent))
  expect(await on.ask.subscribe({ tier: 2, months: 1 }, on.as(agent))).toMatchObject({
    charge: 0,
    leftover: 95_000,
    transfer_id: null,
    balance: 0,
  })
})

test('a tier is Free from its very end, before and after the lapse job, which publishes it once', async () => {
  on.clock.set(START)
  const agent = newAgent()
  await on.grant(agent.account_id, 20_000)
  await on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent))
  const tierNow = async () => (await on.ask.resolveTiers({ account_ids: [agent.account_id] })).items[0]?.tier
  on.clock.set(new Date(new Date(after(30)).getTime() - 1))
  expect(await tierNow()).toBe(1)
  on.clock.set(after(30))
  expect(await tierNow()).toBe(0)
  expect(await on.ask.readStatus({}, on.as(agent))).toMatchObject({
    tier: 0,
    status: 'lapsed',
    ends_at: after(30),
    seconds_left: 0,
    requests_per_day: 100,
  })
  await on.runJob('lapse')
  await on.runJob('lapse')
  expect(await on.heard('tierChanged', { account_id: agent.account_id, cause: 'lapse' })).toEqual([
    { account_id: agent.account_id, previous_tier: 1, tier: 0, ends_at: null, cause: 'lapse' },
  ])
  expect(await on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent))).toMatchObject({
    action: 'start',
    ends_at: after(60),
  })
})

test('calls that share an Idempotency-Key charge once', async () => {
  on.clock.set(START)
  const agent = newAgent()
  await on.grant(agent.account_id, 100_000)
  const calls = await Promise.allSettled(
    Array.from({ length: 10 }, () => on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent, 'once'))),
  )
  const paid = calls.filter((call) => call.status === 'fulfilled')
  expect(paid.length).toBeGreaterThan(0)
  const again = await on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent, 'once'))
  for (const call of paid) expect(call.value).toEqual(again)
  expect(await on.ask.readBalance({}, on.as(agent))).toMatchObject({ balance: 90_000 })
  expect(await refused(on.ask.subscribe({ tier: 1, months: 2 }, on.as(agent, 'once')))).toMatchObject({
    status: 422,
    code: 'idempotency_mismatch',
  })
})

test('calls with different keys never overdraw: only as many succeed as the balance covers', async () => {
  on.clock.set(START)
  const agent = newAgent()
  await on.grant(agent.account_id, 35_000)
  const calls = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent, `buy-${n}`))),
  )
  expect(calls.filter((call) => call.status === 'fulfilled')).toHaveLength(3)
  for (const call of calls)
    if (call.status === 'rejected')
      expect(call.reason).toMatchObject({ status: 402, body: { code: 'insufficient_cherry', balance: 5_000 } })
  expect(await on.ask.readStatus({}, on.as(agent))).toMatchObject({ tier: 1, ends_at: after(90) })
  expect(await checkLedger(on.pool)).toMatchObject(SOUND)
})

test('months outside 1 to 12, other tiers and unknown members are refused', async () => {
  const agent = on.as(newAgent())
  for (const input of [
    { tier: 1, months: 0 },
    { tier: 1, months: 13 },
    { tier: 1, months: 1.5 },
    { tier: 3, months: 1 },
    { tier: 0, months: 1 },
    { tier: 1, months: 1, coupon: 'x' },
  ]) {
    expect(await refused(on.ask.subscribe(input as never, agent))).toMatchObject({
      status: 400,
      code: 'invalid_request',
    })
  }
})
