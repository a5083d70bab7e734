import { randomUUID } from 'node:crypto'
import { openPool, sql } from '@svc/postgres'
import { z } from 'zod'
import { loadPost, rateOf } from './ledger-post.ts'
import { percent, type Benchmark } from './result.ts'
import { median } from './statistics.ts'

const connections = 32
const firstAccount = 1_000_000

/** A Cherry transfer against the cheapest durable write: one prepared INSERT over the same driver. */
export const ledger: Benchmark = async ({ short, shared, note }) => {
  const { admin, prepared } = await shared()
  await admin.query(`
    CREATE TABLE subscriptions.bench_row (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text NOT NULL, account_id bigint NOT NULL,
      amount bigint NOT NULL, reference text NOT NULL, created_at timestamptz NOT NULL
    );
    GRANT INSERT, SELECT ON subscriptions.bench_row TO subscriptions_app`)
  const post = await loadPost()
  await using parts = new AsyncDisposableStack()
  const url = prepared.environmentOf('subscriptions')['SVC_POSTGRES_URL'] ?? ''
  const pool = await openPool(url, { size: connections })
  parts.defer(() => pool.end())
  const at = new Date()
  const insert = () =>
    pool.one(sql.prepared('bench_insert', z.object({ id: z.number() }))`
      INSERT INTO bench_row (key, account_id, amount, reference, created_at)
      VALUES (${randomUUID()}, ${firstAccount}, ${1}, ${'bench'}, ${at.toISOString()}) RETURNING id`)
  const transfer = (lane: number) =>
    post(pool, {
      key: randomUUID(),
      kind: 'adjustment',
      accountId: firstAccount + lane,
      amount: 1,
      reference: 'bench',
      at,
    })
  const setting = await pool.oneFirst(
    sql.type(z.object({ value: z.string() }))`SELECT current_setting('synchronous_commit') AS value`,
  )
  note(`ledger: transfers and inserts in turn, synchronous_commit ${setting}`)
  const inserts: number[] = []
  const transfers: number[] = []
  const ms = short ? 1_500 : 2_500
  for (let round = -1; round < (short ? 4 : 7); round++) {
    const [bare, posted] = [await rateOf(insert, connections, ms), await rateOf(transfer, connections, ms)]
    if (round < 0) continue
    inserts.push(bare)
    transfers.push(posted)
  }
  const ratio = median(transfers.map((rate, round) => rate / (inserts[round] ?? NaN)))
  return {
    figures: [
      {
        what: 'Ledger transfer, rate against a bare prepared single-row INSERT (32 connections, distinct accounts, synchronous_commit on)',
        goal: '≥ 50 %',
        measured: `${percent(ratio)} (${median(transfers).toFixed(0)} against ${median(inserts).toFixed(0)} a second)`,
        met: ratio >= 0.5,
        holdsBack:
          'A transfer adds a row with two index entries and changes two balances, in one PL/pgSQL call; the INSERT adds a row with one entry.',
      },
    ],
  }
}
