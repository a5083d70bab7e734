import { RefusalError } from '@svc/contract'
import { openPool, sql, type Tx } from '@svc/postgres'
import { openLog, type Call } from '@svc/service'
import { publicPolicy } from '@svc/service/public-web'
import { disposableDatabase, FakeClock, opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { expireHolds } from '#holds/jobs/expire-holds.ts'
import { captureHold } from '#holds/operations/capture-hold.ts'
import { placeHold } from '#holds/operations/place-hold.ts'
import { releaseHold } from '#holds/operations/release-hold.ts'
import { shareOf } from '#holds/rules/share.ts'
import { moveCherry } from '#ledger/move-cherry.ts'
import { checkLedger } from '#ledger/store/ledger.ts'
import type { Context } from '#context.ts'
import { START } from '../harness.ts'

const long = process.env['TEST_LONG'] === '1'
const SOUND = { total: 0n, unequal: 0, negative: 0, unheld: 0 }
const ACCOUNTS = 4
/** Daily budget of the second of the four accounts. */
const BUDGET = 12

const database = opened(() => disposableDatabase('subscriptions'))
const pool = opened(() => openPool(database.url, { size: 12 }))
const clock = new FakeClock(START)

const contextOf = (isEnforced = true): Context => ({
  pool,
  clock,
  log: openLog('subscriptions', 'silent'),
  settings: { budgetEnforce: isEnforced, balanceRootDryRun: false },
  webhooks: { policy: publicPolicy({ timeoutMs: 1_000, maxBytes: 1_000 }), box: null },
  signRoot: () => Promise.reject(new Error('no part of this test')),
  payerOf: async (id) => ({ kind: 'owner', dailyBudget: id % 10 === 1 ? BUDGET : null }),
  pairingOf: async () => null,
  partyOf: async (id) => [id],
  kindOf: async () => 'owner',
  targetsUsedBy: async () => null,
  reportsUsedBy: async () => null,
})
const context = contextOf()
const call = (): Call =>
  ({ now: clock.now(), effect: (work: (tx: Tx) => Promise<never>) => pool.transaction(work) }) as unknown as Call

/** Runs a call and returns its body, or the code of its refusal. */
async function outcome<B>(answer: Promise<{ readonly body: B }>): Promise<B | string> {
  try {
    return (await answer).body
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal.code
    throw error
  }
}

interface Wanted {
  readonly buyer: number
  readonly seller: number
  readonly key: string
  readonly items: readonly { readonly resource: string; readonly price: number }[]
}
const place = ({ buyer, seller, key, items }: Wanted, from = context) =>
  outcome(
    placeHold(from)(
      { key, account_id: buyer, seller_id: seller, reference: 'lst', items: [...items], ttl_sec: 60, dry_run: false },
      call(),
    ),
  )
const capture = (hold_id: string, resources: string[]) => outcome(captureHold(context)({ hold_id, resources }, call()))
const release = (hold_id: string) => outcome(releaseHold(context)({ hold_id }, call()))
const expire = () => expireHolds(context)(AbortSignal.timeout(600_000))
const grant = (accountId: number, amount: number, key: string) =>
  pool.transaction((tx) =>
    moveCherry(tx, { key, kind: 'adjustment', accountId, amount, reference: 'test', at: clock.now() }),
  )

const seqs = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      buyer: fc.nat(3),
      seller: fc.nat(3),
      key: fc.nat(3),
      seqs,
      price: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('capture' as const), hold: fc.nat(30), seqs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), hold: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(20, 60, 86_400),
      job: fc.boolean(),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A hold as the naive ledger has it. */
interface Held {
  readonly id: string
  readonly wanted: Wanted
  readonly amount: number
  readonly due: ReadonlyMap<string, number>
  readonly expires: number
  readonly day: string
  state: 'held' | 'captured' | 'released' | 'expired'
}

/** The same rules, kept in memory one after the other. */
class NaiveLedger {
  readonly balance = new Map<number, number>()
  readonly spent = new Map<number, number>()
  readonly paid = new Set<string>()
  readonly used = new Map<string, number>()
  readonly holds: Held[] = []

  place(wanted: Wanted, now: Date, id: string): number | string {
    const { buyer, seller, key, items } = wanted
    if (buyer === seller) return 0
    this.expire(now, buyer)
    const due = new Map(
      items.filter(({ resource }) => !this.paid.has(`${buyer} ${resource}`)).map((i) => [i.resource, i.price]),
    )
    const amount = [...due.values()].reduce((sum, price) => sum + price, 0)
    if (amount === 0) return 0
    const open = this.holds.find((one) => one.state === 'held' && one.wanted.buyer === buyer && one.wanted.key === key)
    if (open !== undefined) {
      const isSame =
        open.wanted.seller === seller && [...due].every(([resource, price]) => open.due.get(resource) === price)
      return isSame ? amount : 'idempotency_mismatch'
    }
    const day = now.toISOString().slice(0, 10)
    if (buyer % 10 === 1 && (this.used.get(`${buyer} ${day}`) ?? 0) + amount > BUDGET) return 'mandate_budget_exceeded'
    if ((this.balance.get(buyer) ?? 0) < amount) return 'insufficient_cherry'
    this.add(this.balance, buyer, -amount)
    this.add(this.used, `${buyer} ${day}`, amount)
    this.holds.push({ id, wanted, amount, due, expires: now.getTime() + 60_000, day, state: 'held' })
    return amount
  }
  capture(hold: Held, resources: readonly string[], now: Date): string {
    if (hold.state === 'captured') return 'captured'
    if (hold.state !== 'held' || hold.expires <= now.getTime()) return 'hold_ended'
    this.end(hold, 'captured', resources)
    return 'captured'
  }
  expire(now: Date, buyer?: number): void {
    for (const hold of this.holds)
      if (hold.state === 'held' && hold.expires <= now.getTime() && (buyer ?? hold.wanted.buyer) === hold.wanted.buyer)
        this.end(hold, 'expired', [])
  }
  end(hold: Held, state: Held['state'], resources: readonly string[]): void {
    const { buyer, seller } = hold.wanted
    const charged = [...hold.due].filter(([one]) => resources.includes(one) && !this.paid.has(`${buyer} ${one}`))
    const amount = charged.reduce((sum, [, price]) => sum + price, 0)
    for (const [resource] of charged) this.paid.add(`${buyer} ${resource}`)
    const unshared = Math.max(0, Math.min(amount, 10 - (this.spent.get(buyer) ?? 0)))
    this.add(this.balance, seller, Math.floor((amount - unshared) * 0.8))
    this.add(this.balance, buyer, hold.amount - amount)
    this.add(this.used, `${buyer} ${hold.day}`, amount - hold.amount)
    this.add(this.spent, buyer, amount)
    hold.state = state
  }
  add<K>(sums: Map<K, number>, key: K, amount: number): void {
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
}

let run = 0
/** Four new accounts with 30 Cherry each; sellers are agents, so selling gives them their welcome credit first. */
async function newAccounts(): Promise<(n: number) => number> {
  run += 1
  const base = run * 10
  for (let n = 0; n < ACCOUNTS; n += 1) await grant(base + n, 30, `grant:${base + n}`)
  return (n) => base + n
}
const wantedOf = (one: Extract<Step, { do: 'place' }>, idOf: (n: number) => number): Wanted => ({
  buyer: idOf(one.buyer),
  seller: idOf(one.seller),
  key: `k:${one.key}`,
  items: one.seqs.map((seq) => ({ resource: `opv_${one.seller}:${seq}`, price: one.price })),
})
const resourcesOf = (wanted: Wanted, numbers: readonly number[]) =>
  numbers.map((seq) => `${wanted.items[0]?.resource.split(':')[0]}:${seq}`)
const heldRows = z.object({ n: z.number() })
const stillHeld = () =>
  pool.oneFirst(sql.type(heldRows)`
    SELECT (SELECT count(*) FROM hold WHERE state = 'held')::int + (SELECT coalesce(sum(balance), 0) FROM ledger_account WHERE kind = 'hold')::int AS n`)
const balancesOf = async (ids: readonly number[]) =>
  Promise.all(
    ids.map((id) =>
      pool.oneFirst(sql.type(z.object({ balance: z.number() }))`
      SELECT balance FROM ledger_account WHERE holder_id = ${id} AND kind = 'user'`),
    ),
  )

test('any script of holds, captures, releases and waits agrees with a naive ledger; the sum stays zero, nothing is negative, and every hold ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (script) => {
      const idOf = await newAccounts()
      const naive = new NaiveLedger()
      const ids = Array.from({ length: ACCOUNTS }, (_, n) => idOf(n))
      for (const id of ids) naive.balance.set(id, 30)
      for (const one of script) {
        const hold = 'hold' in one ? naive.holds[one.hold % Math.max(1, naive.holds.length)] : undefined
        if (one.do === 'wait') {
          clock.advance(one.seconds * 1_000)
          if (one.job) await expire()
          if (one.job) naive.expire(clock.now())
        } else if (one.do === 'place') {
          const wanted = wantedOf(one, idOf)
          const answer = await place(wanted)
          const isFresh = typeof answer !== 'string' && !naive.holds.some(({ id }) => id === answer.hold?.hold_id)
          const expected = naive.place(
            wanted,
            clock.now(),
            typeof answer === 'string' ? '' : (answer.hold?.hold_id ?? ''),
          )
          expect(typeof answer === 'string' ? answer : answer.due).toBe(expected)
          if (isFresh && answer.hold !== null) expect(naive.holds.at(-1)?.id).toBe(answer.hold.hold_id)
        } else if (hold !== undefined && one.do === 'capture') {
          const resources = resourcesOf(hold.wanted, one.seqs)
          const answer = await capture(hold.id, resources)
          expect(typeof answer === 'string' ? answer : answer.state).toBe(naive.capture(hold, resources, clock.now()))
        } else if (hold !== undefined) {
          await release(hold.id)
          if (hold.state === 'held') naive.end(hold, 'released', [])
        }
      }
      clock.advance(60_000)
      await expire()
      naive.expire(clock.now())
      expect(await balancesOf(ids)).toEqual(ids.map((id) => naive.balance.get(id)))
      expect(await stillHeld()).toBe(0)
    }),
    { numRuns: long ? 300 : 20 },
  )
  expect(await checkLedger(pool)).toMatchObject(SOUND)
})

test('scripts at the same time for the same accounts neither deadlock nor pay twice, and what was paid is what was captured', async () => {
  const idOf = await newAccounts()
  const ids = Array.from({ length: ACCOUNTS }, (_, n) => idOf(n))
  const play = async (script: readonly Step[]) => {
    const holds: { readonly id: string; readonly wanted: Wanted }[] = []
    for (const one of script) {
      const hold = 'hold' in one ? holds[one.hold % Math.max(1, holds.length)] : undefined
      if (one.do === 'place') {
        const wanted = wantedOf(one, idOf)
        const answer = await place(wanted)
        if (typeof answer !== 'string' && answer.hold !== null) holds.push({ id: answer.hold.hold_id, wanted })
      } else if (hold !== undefined && one.do === 'capture') await capture(hold.id, resourcesOf(hold.wanted, one.seqs))
      else if (hold !== undefined) await release(hold.id)
    }
  }
  const scripts = fc.sample(fc.array(step, { minLength: 40, maxLength: 40 }), { numRuns: 8, seed: 7 })
  await Promise.all(scripts.map(play))
  clock.advance(60_000)
  await expire()
  expect(await stillHeld()).toBe(0)
  expect(await checkLedger(pool)).toMatchObject(SOUND)
  const sums = await pool.one(sql.type(
    z.object({ paid: z.number(), captured: z.number(), spent: z.number(), days: z.number() }),
  )`
    SELECT (SELECT coalesce(sum(price), 0)::int FROM paid_item WHERE account_id = ANY(${sql.array(ids, 'int8')})) AS paid,
      (SELECT coalesce(sum(captured), 0)::int FROM hold WHERE account_id = ANY(${sql.array(ids, 'int8')})) AS captured,
      (SELECT coalesce(sum(spent), 0)::int FROM spending WHERE account_id = ANY(${sql.array(ids, 'int8')})) AS spent,
      (SELECT coalesce(sum(captured + held), 0)::int FROM spending_day WHERE account_id = ANY(${sql.array(ids, 'int8')})) AS days`)
  expect(sums.paid).toBeGreaterThan(0)
  expect(new Set(Object.values(sums)).size).toBe(1)
})

test('while budgets are not enforced, a hold over the budget passes and is counted', async () => {
  const idOf = await newAccounts()
  const wanted = { buyer: idOf(1), seller: idOf(0), key: 'k', items: [{ resource: 'a', price: BUDGET + 1 }] }
  expect(await place(wanted)).toBe('mandate_budget_exceeded')
  expect(await place(wanted, contextOf(false))).toMatchObject({ due: BUDGET + 1, hold: { amount: BUDGET + 1 } })
  expect(await place({ ...wanted, key: 'l', items: [{ resource: 'b', price: 1 }] })).toBe('mandate_budget_exceeded')
})

test('a payment is divided without remainder, and its first ten Cherry of an account have no share for the seller', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200_000_000 }), fc.nat(30), (amount, spentBefore) => {
      const { seller, revenue } = shareOf(amount, spentBefore)
      const shared = amount - Math.min(amount, Math.max(0, 10 - spentBefore))
      expect(seller + revenue).toBe(amount)
      expect(BigInt(seller)).toBe((BigInt(shared) * 80n) / 100n)
    }),
  )
})
