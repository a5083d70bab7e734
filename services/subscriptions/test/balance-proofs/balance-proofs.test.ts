import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import pg from 'pg'
import { expect, test } from 'vitest'
import { publishBalanceRoot } from '#balance-proofs/jobs/publish-balance-root.ts'
import { newAgent, newOwner, openHarness, refused } from '../harness.ts'

const on = opened(() => openHarness())

let seller = 0
/** Reads `n` items for one Cherry each: a hold, of which the first `read` are captured. */
async function paidRead(account_id: number, key: string, n: number, read: number): Promise<void> {
  const items = Array.from({ length: n }, (_, at) => ({ resource: `${key}:${at}`, price: 1 }))
  const { hold } = await on.askAsGallery.placeHold({ key, account_id, seller_id: seller, reference: 'lst', items })
  const hold_id = hold?.hold_id ?? ''
  const resources = items.slice(0, read).map(({ resource }) => resource)
  if (read === 0) await on.askAsGallery.releaseHold({ hold_id })
  else await on.askAsGallery.captureHold({ hold_id, resources })
}

/** The hashes of a history, computed from its entries as `docs/method/balance-proof.md` says. */
async function chainOf(who: ReturnType<typeof newAgent>, genesis: string) {
  const { items } = await on.ask.listHistory({ limit: 200 }, on.as(who))
  let [hash, balance] = [Buffer.from(genesis, 'hex'), 0]
  const computed = items.toReversed().map((entry, at) => {
    balance += entry.amount
    const { transfer_id, amount, kind, created_at, reference } = entry
    const text = [at + 1, transfer_id, amount, balance, kind, created_at, reference].join('\n')
    hash = createHash('sha256').update(hash).update(text).digest()
    return { seq: at + 1, hash: hash.toString('hex') }
  })
  const stored = items.toReversed().map(({ seq, hash: stored_hash }) => ({ seq, hash: stored_hash }))
  return { computed, stored, balance }
}
const proofOf = (who: ReturnType<typeof newAgent>, input: { day?: string } = {}) =>
  on.ask.readBalanceProof(input, on.as(who))
const roots = async () => (await on.ask.listBalanceRoots({})).items
const day = (n: number, time = '00:00:07.000') => on.clock.set(`2027-01-${String(n).padStart(2, '0')}T${time}Z`)

test('entries that many connections post at once form one chain an account, in the order of its history, and a day later they are under a signed root', async () => {
  day(1)
  const readers = [newAgent(), newAgent(), newOwner()]
  seller = newAgent().account_id
  for (const { account_id } of readers) await on.grant(account_id, 1_000)
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const { account_id } = readers[n % 3] ?? newAgent()
      await Promise.all([on.grant(account_id, n + 1), on.grant(seller, 1), paidRead(account_id, `k${n}`, 20, n % 7)])
    }),
  )
  day(2)
  await on.runJob('publishBalanceRoot')
  for (const who of readers) {
    const { genesis, leaf, ...rest } = await proofOf(who)
    const { computed, stored, balance } = await chainOf(who, genesis)
    expect(stored).toEqual(computed)
    expect(leaf).toEqual({ entries: computed.length, balance, head: computed.at(-1)?.hash })
    expect((await on.ask.readBalance({}, on.as(who))).balance).toBe(balance)
    expect(rest).toMatchObject({
      day: '2027-01-02',
      computed_at: '2027-01-02T00:00:07.000Z',
      account_id: who.account_id,
    })
  }
  const [newest] = await roots()
  const signed = JSON.parse(Buffer.from(newest?.jws.split('.')[1] ?? '', 'base64url').toString('utf8')) as object
  const { jws: _, ...content } = newest ?? { jws: '' }
  expect(signed).toEqual(content)
  const genesis = new Set(await Promise.all(readers.map(async (who) => (await proofOf(who)).genesis)))
  expect(genesis.size).toBe(3)
})

test('a day has one root, a root that could not be signed is signed by the next run, and until then nobody sees it', async () => {
  day(3)
  on.signer.isAway = true
  await expect(on.runJob('publishBalanceRoot')).rejects.toThrow('away')
  const who = newAgent()
  await on.grant(who.account_id, 5)
  expect((await roots())[0]?.day).toBe('2027-01-02')
  on.signer.isAway = false
  expect(await on.runJob('publishBalanceRoot')).toMatchObject({ done: 1 })
  expect(await on.runJob('publishBalanceRoot')).toMatchObject({ done: 0 })
  expect((await roots()).map((one) => one.day)).toEqual(['2027-01-03', '2027-01-02'])
  // It joined after the root was computed.
  expect(await refused(proofOf(who))).toMatchObject({ status: 404, code: 'no_balance_proof' })
  day(4, '23:59:59.999')
  expect(await on.runJob('publishBalanceRoot')).toMatchObject({ done: 1 })
  expect(await proofOf(who)).toMatchObject({ day: '2027-01-04', leaf: { entries: 1, balance: 5 } })
  expect(await refused(proofOf(who, { day: '2027-01-03' }))).toMatchObject({ code: 'no_balance_proof' })
  expect(await refused(proofOf(who, { day: '2027-02-30' }))).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/day' }],
  })
  day(3)
  expect(await on.runJob('publishBalanceRoot')).toMatchObject({ done: 0 })
})

test('a dry run stores and signs nothing, and a ledger that does not add up gets no root', async () => {
  day(5)
  on.signer.isAway = true
  const settings = { ...on.context.settings, balanceRootDryRun: true }
  const dry = publishBalanceRoot({ ...on.context, settings })
  expect(await dry(AbortSignal.timeout(600_000))).toMatchObject({ done: 0, dry_run: true })
  on.signer.isAway = false
  const superuser = new pg.Client(on.stack.databaseOf('subscriptions').superuserUrl)
  await superuser.connect()
  const shift = (by: number) =>
    superuser.query(
      "UPDATE subscriptions.ledger_account SET balance = balance + $1 WHERE id = (SELECT min(id) FROM subscriptions.ledger_account WHERE kind = 'user')",
      [by],
    )
  try {
    await shift(1)
    await expect(on.runJob('publishBalanceRoot')).rejects.toThrow('does not add up')
    expect((await roots())[0]?.day).toBe('2027-01-04')
  } finally {
    await shift(-1)
    await superuser.end()
  }
})

test('proofs are kept for seven days and roots for ever', async () => {
  const who = newAgent()
  await on.grant(who.account_id, 5)
  for (let n = 6; n <= 13; n += 1) {
    day(n)
    await on.runJob('publishBalanceRoot')
  }
  expect(await proofOf(who, { day: '2027-01-07' })).toMatchObject({ day: '2027-01-07' })
  expect(await refused(proofOf(who, { day: '2027-01-06' }))).toMatchObject({ code: 'no_balance_proof' })
  expect((await roots()).map((one) => one.day)).toContain('2027-01-06')
})

test('entries of before the chain get the hashes that they would have had', async () => {
  const superuser = new pg.Client(on.stack.databaseOf('subscriptions').superuserUrl)
  await superuser.connect()
  const chained = async () =>
    (
      await superuser.query(`
        SELECT t.idempotency_key, debit_seq, debit_hash, credit_seq, credit_hash FROM ledger_transfer AS t ORDER BY id`)
    ).rows as object[]
  const heads = async () =>
    (await superuser.query('SELECT id, entries, head FROM ledger_account ORDER BY id')).rows as object[]
  try {
    await superuser.query('SET search_path TO subscriptions')
    const before = [await chained(), await heads()]
    await superuser.query(`
      UPDATE ledger_account SET entries = 0, head = NULL;
      UPDATE ledger_transfer SET debit_seq = NULL, debit_hash = NULL, credit_seq = NULL, credit_hash = NULL`)
    expect(await chained()).not.toEqual(before[0])
    const migration = await readFile(new URL('../../migrations/0006-balance-proofs.sql', import.meta.url), 'utf8')
    const [backfill = ''] = /^DO \$\$[^]*?^END \$\$;$/m.exec(migration) ?? []
    await superuser.query(backfill)
    expect([await chained(), await heads()]).toEqual(before)
  } finally {
    await superuser.end()
  }
})

test("the service's own role can change no entry, leaf, level or root", async () => {
  for (const statement of [
    sql.unsafe`UPDATE ledger_account SET head = NULL`,
    sql.unsafe`UPDATE ledger_transfer SET credit_hash = NULL`,
    sql.unsafe`UPDATE balance_leaf SET balance = 1`,
    sql.unsafe`INSERT INTO balance_leaf (day, account_id, position, entries, balance, head) VALUES (now(), 1, 1, 1, 1, '')`,
    sql.unsafe`UPDATE balance_level SET hashes = ''`,
    sql.unsafe`UPDATE balance_root SET root = ''`,
    sql.unsafe`DELETE FROM balance_root`,
  ])
    await expect(on.pool.query(statement), statement.sql).rejects.toMatchObject({ code: '42501' })
})
