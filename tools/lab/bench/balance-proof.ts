import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openPool, sql } from '@svc/postgres'
import { z } from 'zod'
import { loadPost, rateOf } from './ledger-post.ts'
import { percent, type Benchmark } from './result.ts'
import { median } from './statistics.ts'

const LANES = 8
const FIRST_ACCOUNT = 2_000_000
const FIRST_OF_TREE = 40_000_000
const migrations = fileURLToPath(new URL('../../../services/subscriptions/migrations/', import.meta.url))

/** Returns the function that posted before entries were chained, under another name. */
async function unchainedPost(): Promise<string> {
  const first = await readFile(`${migrations}0001-ledger.sql`, 'utf8')
  const [found] = /^CREATE FUNCTION ledger_post\([^]*?^END \$\$;$/m.exec(first) ?? []
  if (found === undefined) throw new Error('0001-ledger.sql has no ledger_post')
  return found
    .replace('ledger_post', 'subscriptions.bench_post_unchained')
    .replaceAll(/p_kind transfer_kind/g, 'p_kind subscriptions.transfer_kind')
}

/** What the chain of an account costs a transfer, and the root over all accounts. */
export const balanceProof: Benchmark = async ({ short, shared, note }) => {
  const { admin, prepared } = await shared()
  await admin.query(await unchainedPost())
  await admin.query('GRANT EXECUTE ON FUNCTION subscriptions.bench_post_unchained TO subscriptions_app')
  const post = await loadPost()
  await using parts = new AsyncDisposableStack()
  const pool = await openPool(prepared.environmentOf('subscriptions')['SVC_POSTGRES_URL'] ?? '', { size: LANES })
  parts.defer(() => pool.end())
  const at = new Date()
  const chained = (lane: number) =>
    post(pool, {
      key: randomUUID(),
      kind: 'adjustment',
      accountId: FIRST_ACCOUNT + lane,
      amount: 1,
      reference: 'bench',
      at,
    })
  const unchained = (lane: number) =>
    pool.one(sql.prepared('bench_unchained', z.object({ transfer_id: z.number() }))`
      SELECT transfer_id FROM bench_post_unchained(${randomUUID()}, 'adjustment', ${FIRST_ACCOUNT + LANES + lane}::bigint, 1, 'bench', ${at.toISOString()}::timestamptz)`)
  note('balance-proof: transfers with and without the chain, in turn')
  const [before, after]: [number[], number[]] = [[], []]
  for (let round = -1; round < (short ? 4 : 9); round += 1) {
    const [bare, posted] = [await rateOf(unchained, LANES, 1_500), await rateOf(chained, LANES, 1_500)]
    if (round < 0) continue
    before.push(bare)
    after.push(posted)
  }
  const cost = median(after.map((rate, round) => (before[round] ?? NaN) / rate))

  const accounts = short ? 10_000 : 100_000
  note(`balance-proof: a root over ${accounts.toLocaleString('en')} accounts`)
  await admin.query(
    `INSERT INTO subscriptions.ledger_account (id, holder_id, kind) SELECT $1 + n, $1 + n, 'user' FROM generate_series(1::bigint, $2) AS n`,
    [FIRST_OF_TREE, accounts],
  )
  const times: number[] = []
  for (const day of ['2099-01-01', '2099-01-02', '2099-01-03']) {
    const begun = performance.now()
    await admin.query('SELECT root FROM subscriptions.balance_snapshot($1::date, now())', [day])
    times.push((performance.now() - begun) / 1000)
  }
  const seconds = median(times)
  await admin.query('DELETE FROM subscriptions.ledger_account WHERE id > $1', [FIRST_OF_TREE])
  const us = (rate: number) => ((1e6 / rate) * LANES).toFixed(0)
  return {
    figures: [
      {
        what: `Ledger transfer with its entry in the chain of the account, time against the same without (${LANES} connections)`,
        goal: '≤ 1.25 ×',
        measured: `${cost.toFixed(2)} × (${us(median(after))} against ${us(median(before))} µs; ${percent(1 / cost)} of the rate)`,
        met: cost <= 1.25,
        holdsBack: 'A lock of the account before the key, one SHA-256, and 49 bytes more in the row of the transfer.',
      },
      {
        what: `Merkle root over ${accounts.toLocaleString('en')} balances, from the ledger to the stored tree`,
        goal: '≤ 10 s',
        measured: `${seconds.toFixed(2)} s`,
        met: seconds <= 10,
        holdsBack: 'A row for each leaf, and two hashes an account, in Postgres.',
      },
    ],
  }
}
