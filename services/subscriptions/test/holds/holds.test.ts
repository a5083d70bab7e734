import { sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkLedger } from '#ledger/store/ledger.ts'
import { newAgent, newOwner, openHarness, refused } from '../harness.ts'

const on = opened(() => openHarness())
const SOUND = { total: 0n, unequal: 0, negative: 0, unheld: 0 }

type Account = ReturnType<typeof newAgent>
const balance = async (who: Account) => (await on.ask.readBalance({}, on.as(who))).balance
const item = (seq: number, price = 5) => ({ resource: `opv_a:${seq}`, price })
const named = (...seqs: number[]) => seqs.map((seq) => item(seq).resource)
let reads = 0
const place = (who: Account, seller: Account, items: ReturnType<typeof item>[], more: object = {}) =>
  on.askAsGallery.placeHold({
    key: `k:${(reads += 1)}`,
    account_id: who.account_id,
    seller_id: seller.account_id,
    reference: 'lst_a',
    items,
    ...more,
  })
const holdOf = ({ hold }: Awaited<ReturnType<typeof place>>) => hold?.hold_id ?? ''
const capture = (hold_id: string, resources: string[]) => on.askAsGallery.captureHold({ hold_id, resources })

/** An agent with this much Cherry beyond its welcome credit, of which 10 are spent already. */
async function reader(cherry: number): Promise<Account> {
  const who = newAgent()
  await balance(who)
  await on.grant(who.account_id, cherry)
  const hold = await place(who, newAgent(), [item(1, 10)], {})
  await capture(holdOf(hold), named(1))
  return who
}

test('a hold sets Cherry aside, its capture pays the seller four fifths and the house the rest, and what was paid is free for ever', async () => {
  const [buyer, seller] = [await reader(100), newAgent()]
  expect(await balance(seller)).toBe(10)
  const placed = await place(buyer, seller, [item(2), item(3), item(4)])
  expect(placed).toMatchObject({
    due: 15,
    hold: { amount: 15 },
    items: [{ status: 'due' }, { status: 'due' }, { status: 'due' }],
  })
  expect(await balance(buyer)).toBe(85)
  const captured = await capture(holdOf(placed), named(2, 3))
  expect(captured).toMatchObject({ state: 'captured', captured: 10, released: 5, resources: named(2, 3) })
  expect([await balance(buyer), await balance(seller)]).toEqual([90, 18])
  expect(await on.heard('cherryMoved', { account_id: seller.account_id, kind: 'paid_read' })).toMatchObject([
    { amount: 8, reference: `seller:${holdOf(placed)}` },
  ])

  expect(await capture(holdOf(placed), named(4))).toEqual(captured)
  expect(await on.askAsGallery.releaseHold({ hold_id: holdOf(placed) })).toEqual(captured)
  const again = await place(buyer, seller, [item(2), item(3), item(4)])
  expect(again).toMatchObject({ due: 5, items: [{ status: 'paid' }, { status: 'paid' }, { status: 'due' }] })
  expect(await on.askAsGallery.releaseHold({ hold_id: holdOf(again) })).toMatchObject({
    state: 'released',
    captured: 0,
    released: 5,
  })
  expect(await on.askAsGallery.releaseHold({ hold_id: holdOf(again) })).toMatchObject({ state: 'released' })
  expect(await refused(capture(holdOf(again), named(4)))).toMatchObject({
    status: 409,
    code: 'hold_ended',
    state: 'released',
  })
  expect([await balance(buyer), await balance(seller)]).toEqual([90, 18])
  const history = await on.ask.listHistory({}, on.as(buyer))
  expect(history.items[1]?.reference).toBe(`lst_a:${holdOf(again)}`)
  expect(history.items.slice(0, 4).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['paid_read', 5],
    ['paid_read', -5],
    ['paid_read', 5],
    ['paid_read', -15],
  ])
})

test('the first 10 Cherry that an account ever spends go to the house whole, and a subscription counts as spending', async () => {
  const [buyer, seller] = [newAgent(), newAgent()]
  await balance(buyer)
  await on.grant(buyer.account_id, 40)
  await balance(seller)
  for (const [seq, price] of [
    [1, 7],
    [2, 8],
    [3, 4],
  ] as const)
    await capture(holdOf(await place(buyer, seller, [item(seq, price)])), named(seq))
  // 7 to the house; of 8 three are left of the ten, floor(80 % of 5); floor(80 % of 4).
  expect(await balance(seller)).toBe(10 + 0 + 4 + 3)

  const subscriber = newAgent()
  await balance(subscriber)
  await on.grant(subscriber.account_id, 10_000)
  await on.ask.subscribe({ tier: 1, months: 1 }, on.as(subscriber))
  await capture(holdOf(await place(subscriber, seller, [item(1, 10)])), named(1))
  expect(await balance(seller)).toBe(17 + 8)
})

test('the seller, its owner and their agents pay nothing and get nothing', async () => {
  const [seller, sibling, owner] = [newAgent(), newAgent(), newOwner()]
  on.parties.set(seller.account_id, [seller.account_id, sibling.account_id, owner.account_id])
  for (const who of [seller, sibling, owner])
    expect(await place(who, seller, [item(1), item(2)])).toEqual({
      hold: null,
      due: 0,
      captured: 0,
      items: named(1, 2).map((resource) => ({ resource, status: 'free' })),
    })
  expect([await balance(seller), await balance(sibling), await balance(owner)]).toEqual([10, 10, 0])
})

test('a hold that nobody captures gives its Cherry back: at once to the next hold, and by the job', async () => {
  const [buyer, seller] = [await reader(10), newAgent()]
  const placed = await place(buyer, seller, [item(2, 10)])
  on.clock.advance(59_000)
  expect(await refused(place(buyer, seller, [item(3, 1)]))).toMatchObject({ status: 402, balance: 0, needed: 1 })
  on.clock.advance(1_000)
  expect(await refused(capture(holdOf(placed), named(2)))).toMatchObject({ code: 'hold_ended', state: 'expired' })
  const next = await place(buyer, seller, [item(2, 10)])
  expect(next.hold?.hold_id).not.toBe(holdOf(placed))
  on.clock.advance(60_000)
  await on.runJob('expireHolds')
  // The running service may have been first with some of them.
  await eventually(async () => (await balance(buyer)) === 10)
  expect(await on.askAsGallery.releaseHold({ hold_id: holdOf(next) })).toMatchObject({ state: 'expired', released: 10 })
})

test('a lack of Cherry is refused with balance and price, unknown holds are named, and a dry run judges and writes nothing', async () => {
  const [buyer, seller] = [newAgent(), newAgent()]
  expect(await refused(place(buyer, seller, [item(1, 6), item(2, 6)]))).toMatchObject({
    status: 402,
    code: 'insufficient_cherry',
    balance: 10,
    needed: 12,
  })
  expect(await refused(place(buyer, seller, [item(1, 6), item(2, 6)], { dry_run: true }))).toMatchObject({
    status: 402,
  })
  expect(await place(buyer, seller, [item(1, 6)], { dry_run: true })).toMatchObject({
    hold: null,
    due: 6,
    items: [{ status: 'due' }],
  })
  expect(await balance(buyer)).toBe(10)
  const none = `hld_${'0'.repeat(20)}`
  expect(await refused(capture(none, named(1)))).toMatchObject({ status: 404, code: 'unknown_hold' })
  expect(await refused(on.askAsGallery.releaseHold({ hold_id: none }))).toMatchObject({
    status: 404,
    code: 'unknown_hold',
  })
})

test('an agent with a daily budget is refused beyond it, whether Cherry is held or captured, until the next UTC day; an owner has none', async () => {
  const [buyer, seller] = [await reader(500), newAgent()]
  on.budgets.set(buyer.account_id, 25)
  on.clock.set('2026-11-22T10:00:00.000Z')
  await capture(holdOf(await place(buyer, seller, [item(2, 10)])), named(2))
  const held = await place(buyer, seller, [item(3, 10)])
  const refusal = await refused(place(buyer, seller, [item(4, 6)]))
  expect(refusal).toMatchObject({
    status: 403,
    code: 'mandate_budget_exceeded',
    refusal: { limit: '25', attempted: '6', remaining: '5', unit: 'cherry', resets_at: '2026-11-23T00:00:00.000Z' },
  })
  expect(await place(buyer, seller, [item(2, 10), item(4, 5)])).toMatchObject({ due: 5 })
  await on.askAsGallery.releaseHold({ hold_id: holdOf(held) })
  expect(await place(buyer, seller, [item(5, 10)])).toMatchObject({ due: 10 })
  expect(await refused(place(buyer, seller, [item(6, 1)]))).toMatchObject({ status: 403 })
  on.clock.set('2026-11-23T00:00:00.000Z')
  expect(await place(buyer, seller, [item(6, 25)])).toMatchObject({ due: 25 })
  const owner = newOwner()
  await on.grant(owner.account_id, 100)
  expect(await place(owner, seller, [item(1, 100)])).toMatchObject({ due: 100 })
})

test('the same read at once, twelve times, is one hold, and is paid once', async () => {
  const [buyer, seller] = [await reader(20), newAgent()]
  const once = async () => {
    const placed = await place(buyer, seller, [item(2, 8), item(3, 8)], { key: 'same' })
    return placed.hold === null ? 0 : (await capture(holdOf(placed), named(2, 3))).captured
  }
  const charged = await Promise.all(Array.from({ length: 12 }, once))
  expect(new Set(charged)).toEqual(charged.includes(0) ? new Set([0, 16]) : new Set([16]))
  expect(await balance(buyer)).toBe(4)
  const asked = { account_ids: [buyer.account_id, seller.account_id], resources: named(1, 2, 3, 4) }
  expect(new Set((await on.askAsGallery.readPaid(asked)).resources)).toEqual(new Set(named(1, 2, 3)))
  const rows = await on.pool.any(
    sql.type(
      z.object({ n: z.number() }),
    )`SELECT count(*)::int AS n FROM paid_item WHERE account_id = ${buyer.account_id}`,
  )
  expect(rows).toEqual([{ n: 3 }])
  expect(
    await refused(
      place(buyer, seller, [item(4, 1)], { key: 'other' }).then(() =>
        place(buyer, seller, [item(5, 1)], { key: 'other' }),
      ),
    ),
  ).toMatchObject({
    status: 422,
    code: 'idempotency_mismatch',
  })
  expect(await checkLedger(on.pool)).toMatchObject(SOUND)
})
