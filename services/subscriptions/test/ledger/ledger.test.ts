import { openPool } from '@svc/postgres'
import { disposableDatabase, opened } from '@svc/testing'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceOf, checkLedger, historyOf, OutOfRange, Overdraft, post, type Posting } from '#ledger/store/ledger.ts'

const long = process.env['TEST_LONG'] === '1'
const SOUND = { total: 0n, unequal: 0, negative: 0 }
const AT = new Date('2026-11-21T09:00:00.000Z')

let owner: pg.Client
let app: pg.Client
const database = opened(() => disposableDatabase('subscriptions'))
const pool = opened(() => openPool(database.url, { size: 16 }))
beforeAll(async () => {
  owner = new pg.Client(database.migratorUrl)
  await owner.connect()
  await owner.query('SET ROLE subscriptions_owner; SET search_path TO subscriptions')
  app = new pg.Client(database.url)
  await app.connect()
})
afterAll(async () => {
  await owner?.end()
  await app?.end()
})

let fresh = 0
const holder = () => (fresh += 1)
const give = (accountId: number, amount: number, key = `k:${(fresh += 1)}`): Posting => ({
  key,
  kind: 'adjustment',
  accountId,
  amount,
  reference: 'test',
  at: AT,
})
const book = (posting: Posting) => pool.transaction((tx) => post(tx, posting))

test('any script of transfers keeps the sum at zero, every user, hold and revenue account at or above it, and balances equal to their transfers', async () => {
  // A user of the six, the account at the other side, and what the user gets (or gives, when negative).
  const step = fc.record({
    user: fc.nat(5),
    counter: fc.nat(9),
    amount: fc.integer({ min: -60, max: 60 }),
    key: fc.nat(40),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (script) => {
      run += 1
      const holderOf = (n: number) => 1_000_000 + run * 10 + n
      // Six users, two holds, one revenue and one issuance account of this run alone.
      const { rows } = await owner.query<{ id: number }>(
        `INSERT INTO ledger_account (id, kind, holder_id, purpose)
         SELECT nextval('ledger_account_id'), CASE WHEN n < 6 THEN 'user' WHEN n < 8 THEN 'hold' WHEN n = 8 THEN 'revenue' ELSE 'issuance' END::ledger_account_kind,
           CASE WHEN n < 8 THEN $1 + n END, CASE WHEN n = 8 THEN 'revenue' WHEN n = 9 THEN 'adjustment' END::ledger_purpose
         FROM generate_series(0, 9) AS n ORDER BY n RETURNING id::int`,
        [holderOf(0)],
      )
      const ids = rows.map((row) => row.id)
      const expected = ids.map(() => 0)
      const booked = new Map<string, string>()
      for (const { user, counter, amount, key } of script) {
        const named = `script:${run}:${key}`
        const [debit, credit] = amount > 0 ? [counter, user] : [user, counter]
        const content = `${debit}>${credit}:${Math.abs(amount)}`
        const known = booked.has(named)
        const possible = user !== counter && amount !== 0 && (!known || booked.get(named) === content)
        const covered = known || debit === 9 || (expected[debit] ?? 0) >= Math.abs(amount)
        const outcome = await app
          .query<{ posted: boolean }>('SELECT posted FROM ledger_post($1, $2, $3, $4, $5, $6, $7)', [
            named,
            'adjustment',
            holderOf(user),
            amount,
            'script',
            AT,
            ids[counter],
          ])
          .then((answer) => answer.rows[0]?.posted)
          .catch((error: unknown) => (error instanceof Error && 'code' in error ? error.code : error))
        if (!possible || !covered) {
          expect(['SV001', 'SV003', 'SV004', '23514']).toContain(outcome)
          continue
        }
        expect(outcome).toBe(!known)
        if (known) continue
        booked.set(named, content)
        expected[debit] = (expected[debit] ?? 0) - Math.abs(amount)
        expected[credit] = (expected[credit] ?? 0) + Math.abs(amount)
      }
      const stored = await owner.query<{ id: number; balance: number }>(
        'SELECT id::int, balance::int FROM ledger_account WHERE id = ANY($1)',
        [ids],
      )
      for (const row of stored.rows) expect(row.balance).toBe(expected[ids.indexOf(row.id)])
      expect(await checkLedger(pool)).toMatchObject(SOUND)
    }),
    { numRuns: long ? 1000 : 40 },
  )
})

test('the same key with the same content answers the first transfer, also all at once; other content is an error', async () => {
  const who = holder()
  const posting = give(who, 30, 'replay')
  const answers = await Promise.all(Array.from({ length: 12 }, () => book(posting)))
  expect(new Set(answers.map((answer) => answer.transfer_id)).size).toBe(1)
  expect(answers.filter((answer) => answer.posted)).toHaveLength(1)
  expect(await balanceOf(pool, who)).toBe(30)
  for (const other of [
    { ...posting, amount: 31 },
    { ...posting, accountId: holder() },
    { ...posting, reference: 'other' },
    { ...posting, kind: 'mining_reward' as const },
  ]) {
    await expect(book(other)).rejects.toThrow()
  }
  expect(await balanceOf(pool, who)).toBe(30)
})

test('postings of many connections for the same few accounts neither deadlock nor overdraw', async () => {
  const few = [holder(), holder(), holder()]
  const outcomes = await Promise.allSettled(
    Array.from({ length: 300 }, (_, n) => book(give(few[n % 3] ?? 0, n % 2 === 0 ? 7 : -7))),
  )
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Overdraft)
  const balances = await Promise.all(few.map((one) => balanceOf(pool, one)))
  for (const balance of balances) expect(balance).toBeGreaterThanOrEqual(0)
  expect(await checkLedger(pool)).toMatchObject(SOUND)
})

test('an overdraft and a number beyond 2^53 - 1 are refused by name and leave nothing behind', async () => {
  const who = holder()
  // The house's side has a range of its own, which other postings have used a little of.
  const nearly = Number.MAX_SAFE_INTEGER - 1_000_000
  await book(give(who, nearly))
  await expect(book(give(who, 1_000_001))).rejects.toBeInstanceOf(OutOfRange)
  await book(give(who, -nearly))
  await expect(book(give(who, -1))).rejects.toBeInstanceOf(Overdraft)
  await expect(book(give(who, 0))).rejects.toBeInstanceOf(OutOfRange)
  expect(await balanceOf(pool, who)).toBe(0)
  expect(await historyOf(pool, who, Number.MAX_SAFE_INTEGER, 10)).toHaveLength(2)
  expect(await checkLedger(pool)).toMatchObject(SOUND)
})

test("the service's own role can neither change nor invent a transfer or a balance", async () => {
  for (const statement of [
    'UPDATE ledger_account SET balance = 1000000 WHERE id > 9999',
    "INSERT INTO ledger_account (id, kind, holder_id) VALUES (5, 'user', 5)",
    "INSERT INTO ledger_transfer (debit_account_id, credit_account_id, amount, created_at, kind, idempotency_key, reference) VALUES (0, 1000, 5, now(), 'welcome', 'x', 'x')",
    'UPDATE ledger_transfer SET amount = 1',
    'DELETE FROM ledger_transfer',
    'TRUNCATE ledger_transfer',
    'DELETE FROM adjustment',
    'UPDATE purchase SET charge = 0',
    'DELETE FROM hold',
    'UPDATE paid_item SET price = 1',
    'DELETE FROM paid_item',
    'DELETE FROM spending',
  ]) {
    await expect(app.query(statement), statement).rejects.toMatchObject({ code: '42501' })
  }
})

test('history, balance, lapse, holds and feeds read by index, whatever the size of the tables', async () => {
  await owner.query(`
    INSERT INTO ledger_transfer (debit_account_id, credit_account_id, amount, created_at, kind, idempotency_key, reference)
      SELECT CASE WHEN n % 80 = 0 THEN 15003 ELSE 0 END, CASE WHEN n % 80 = 1 THEN 15003 WHEN n % 80 = 0 THEN 3072 ELSE 15004 + n % 996 END, 1, now(), 'welcome', 'fill:' || n, ''
      FROM generate_series(1, 40000) AS n;
    INSERT INTO ledger_account (id, kind, holder_id) SELECT 15000 + n, 'user', 500000 + n FROM generate_series(0, 999) AS n;
    INSERT INTO subscription (account_id, tier, started_at, ends_at, paid, bought_seconds) SELECT n, 1, now(), now() + n * interval '1 hour', 1, 1 FROM generate_series(1, 20000) AS n;
    INSERT INTO hold (id, account_id, seller_id, key, reference, amount, day, state, created_at, expires_at, ended_at)
      SELECT 'h' || n, n % 500, 1, 'k' || n, 'lst', 1, now(), 'released', now(), now() + interval '1 minute', now() FROM generate_series(1, 20000) AS n;
    ANALYZE ledger_transfer, ledger_account, subscription, hold`)
  // For a few hundred rows a bitmap and a sort are as good; here the order must come from the index.
  await app.query('SET enable_bitmapscan = off')
  const plans = async (statement: string) => {
    const { rows } = await app.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const history = await plans(`
    SELECT id FROM ledger_transfer WHERE credit_account_id = 15003 AND credit_account_id >= 10000 AND id < 9007199254740991 ORDER BY credit_account_id, id DESC LIMIT 51`)
  expect(history).toMatch(/Index (Only )?Scan Backward using ledger_transfer_credits/)
  const debits = await plans(
    'SELECT id FROM ledger_transfer WHERE debit_account_id = 15003 AND debit_account_id >= 10000 AND id < 9007199254740991 ORDER BY debit_account_id, id DESC LIMIT 51',
  )
  expect(debits).toMatch(/Index (Only )?Scan Backward using ledger_transfer_debits/)
  expect(history + debits).not.toMatch(/Sort/)
  expect(await plans("SELECT balance FROM ledger_account WHERE holder_id = 500003 AND kind = 'user'")).toMatch(
    /Index Scan using ledger_account_user/,
  )
  const lapse = await plans(
    'SELECT account_id FROM subscription WHERE tier > 0 AND ends_at <= now() ORDER BY ends_at LIMIT 500 FOR UPDATE SKIP LOCKED',
  )
  expect(lapse).toMatch(/Index Scan using subscription_due/)
  expect(lapse).not.toMatch(/Sort/)
  for (const open of [
    "SELECT id FROM hold WHERE state = 'held' AND expires_at <= now() ORDER BY expires_at LIMIT 500",
    "SELECT id FROM hold WHERE account_id = 3 AND key = 'k' AND state = 'held'",
    "SELECT id FROM hold WHERE account_id = 3 AND state = 'held' AND expires_at <= now() ORDER BY expires_at LIMIT 100",
  ])
    expect(await plans(open)).toMatch(/Index Scan using hold_(due|open)/)
  const feed = await plans(
    "SELECT seq, at, data FROM feed_item WHERE feed_key = 'crisis_alerts' AND seq > 10 ORDER BY seq LIMIT 100",
  )
  expect(feed).toMatch(/Index Scan using feed_item_pkey/)
  expect(feed).not.toMatch(/Sort/)
})
