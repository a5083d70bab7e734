import { sql } from '@svc/postgres'
import { changesNothing, eventually, opened } from '@svc/testing'
import pg from 'pg'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { start } from '#main.ts'
import { admin, newAgent, newOwner, NOBODY, openHarness, refused, START } from '../harness.ts'

const on = opened(() => openHarness())

const submission = (n: number) => `sub_${n.toString(16).padStart(32, '0')}`
const balance = async (who: ReturnType<typeof newAgent>) => (await on.ask.readBalance({}, on.as(who))).balance

// First, because events that other tests publish may still be handled during its rehearsal.
test('an admin credits and debits an account, and the admin and the reason are stored', async () => {
  const agent = newAgent()
  const rehearsed = await changesNothing(on.stack.databaseOf('subscriptions').superuserUrl, () =>
    on.ask.adjustCherry(
      { user_id: agent.account_id, amount: 500, reason: 'goodwill', dry_run: true },
      on.as(admin, 'give'),
    ),
  )
  expect(rehearsed).toMatchObject({ dry_run: true, adjustment_id: null, balance: 510, transfer_id: null })
  const given = await on.ask.adjustCherry(
    { user_id: agent.account_id, amount: 500, reason: 'goodwill' },
    on.as(admin, 'give'),
  )
  expect(given).toMatchObject({ ok: true, user_id: agent.account_id, amount: 500, balance: 510 })
  expect(
    await on.ask.adjustCherry({ user_id: agent.account_id, amount: 500, reason: 'goodwill' }, on.as(admin, 'give')),
  ).toEqual(given)
  expect(
    await on.ask.adjustCherry({ user_id: agent.account_id, amount: -510, reason: 'mistake' }, on.as(admin)),
  ).toMatchObject({ balance: 0 })
  const row = z.object({
    account_id: z.number(),
    amount: z.number(),
    reason: z.string(),
    admin_account_id: z.number(),
    transfer_id: z.number(),
  })
  expect(
    await on.pool.any(
      sql.type(
        row,
      )`SELECT account_id, amount, reason, admin_account_id, transfer_id FROM adjustment WHERE account_id = ${agent.account_id} ORDER BY id`,
    ),
  ).toMatchObject([
    { amount: 500, reason: 'goodwill', admin_account_id: admin.account_id, transfer_id: given.transfer_id },
    { amount: -510, reason: 'mistake' },
  ])
})

test('an agent has its welcome credit from its first call on, once, whatever happens first', async () => {
  const agent = newAgent()
  expect(await Promise.all([balance(agent), balance(agent), balance(agent)])).toEqual([10, 10, 10])
  await on.tell.agentRegistered(agent.account_id)
  const late = newAgent()
  await on.tell.agentRegistered(late.account_id)
  expect(await on.heard('cherryMoved', { account_id: late.account_id })).toMatchObject([
    { amount: 10, kind: 'welcome', reference: 'registration' },
  ])
  expect([await balance(agent), await balance(late)]).toEqual([10, 10])
  expect(await on.heard('cherryMoved', { account_id: agent.account_id })).toHaveLength(1)
})

test('an owner starts with nothing', async () => {
  expect(await balance(newOwner())).toBe(0)
})

test('a released payout is booked and published once, however often its event is delivered', async () => {
  const agent = newAgent()
  const payout = { submission_id: submission(agent.account_id), account_id: agent.account_id, cherry: 75 }
  await on.tell.agentRegistered(agent.account_id)
  await on.tell.payoutReleased(payout)
  await on.tell.payoutReleased(payout)
  await on.tell.payoutReleased({ ...payout, submission_id: submission(agent.account_id + 1_000_000), cherry: 5 })
  await eventually(async () => (await balance(agent)) === 90)
  expect(
    await on.heard('cherryMoved', { account_id: agent.account_id, reference: payout.submission_id }),
  ).toMatchObject([{ amount: 75, kind: 'mining_reward' }])
  expect(await on.askAsMining.miningBalance({ account_id: agent.account_id })).toMatchObject({
    balance: 90,
    rewards: [{ amount: 5 }, { amount: 75, submission_id: payout.submission_id, created_at: START }],
  })
})

test('mining reads a new agent with its welcome credit, and an unknown account with nothing', async () => {
  expect(await on.askAsMining.miningBalance({ account_id: newAgent().account_id })).toEqual({
    balance: 10,
    rewards: [],
  })
  expect(await on.askAsMining.miningBalance({ account_id: NOBODY })).toEqual({ balance: 0, rewards: [] })
})

test('an adjustment never overdraws, stays within the exact range, and requires an account and a non-zero whole amount', async () => {
  const agent = newAgent()
  const adjust = (user_id: number, amount: number) =>
    refused(on.ask.adjustCherry({ user_id, amount, reason: 'test' }, on.as(admin)))
  expect(await adjust(agent.account_id, -11)).toMatchObject({ status: 402, code: 'insufficient_cherry', needed: 11 })
  expect(await adjust(agent.account_id, Number.MAX_SAFE_INTEGER)).toMatchObject({
    status: 409,
    code: 'cherry_out_of_range',
  })
  expect(await adjust(NOBODY, 1)).toMatchObject({ status: 404, code: 'unknown_account' })
  for (const amount of [0, 0.5, Number.MAX_SAFE_INTEGER + 1])
    expect(await adjust(agent.account_id, amount)).toMatchObject({ status: 400 })
  expect(await balance(agent)).toBe(10)
})

test('the history is complete, newest first, page by page', async () => {
  const agent = newAgent()
  await balance(agent)
  for (let n = 1; n <= 6; n += 1) await on.grant(agent.account_id, n % 2 === 0 ? -1 : n)
  const all = await on.ask.listHistory({}, on.as(agent))
  expect(all.items.map((item) => item.amount)).toEqual([-1, 5, -1, 3, -1, 1, 10])
  expect(all.next_cursor).toBeNull()
  const pages: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await on.ask.listHistory({ limit: 3, ...(cursor === undefined ? {} : { cursor }) }, on.as(agent))
    expect(page.items.length).toBeLessThanOrEqual(3)
    pages.push(...page.items)
    cursor = page.next_cursor
  }
  expect(pages).toEqual(all.items)
  expect(await refused(on.ask.listHistory({ cursor: 'bm9wZQ' }, on.as(agent)))).toMatchObject({
    status: 400,
    errors: [{ pointer: '/query/cursor' }],
  })
})

test('the service checks its ledger while it runs and does not start on a broken one', async () => {
  await on.runJob('checkLedger')
  const superuser = new pg.Client(on.stack.databaseOf('subscriptions').superuserUrl)
  await superuser.connect()
  try {
    await superuser.query(
      "UPDATE subscriptions.ledger_account SET balance = balance + 1 WHERE id = (SELECT min(id) FROM subscriptions.ledger_account WHERE kind = 'user')",
    )
    await expect(on.runJob('checkLedger')).rejects.toThrow(/does not add up: sum 1, 1 balances differ/)
    await expect(start(on.environment)).rejects.toThrow(/does not add up/)
  } finally {
    await superuser.query(
      "UPDATE subscriptions.ledger_account SET balance = balance - 1 WHERE id = (SELECT min(id) FROM subscriptions.ledger_account WHERE kind = 'user')",
    )
    await superuser.end()
  }
  await on.runJob('checkLedger')
})
