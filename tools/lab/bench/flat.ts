import { randomUUID } from 'node:crypto'
import { openPool } from '@svc/postgres'
import { keys } from './hop/keys.ts'
import { loadPost, rateOf } from './ledger-post.ts'
import { get, startLoadGenerator } from './load.ts'
import type { Benchmark } from './result.ts'
import { addPlayers, startServices, type Stage } from './stage.ts'
import { median } from './statistics.ts'
import { measure } from './variant.ts'

const lanes = 16

/** Adds accounts with a key, a ledger account and a transfer each, up to a total of `upTo`. */
export async function fill({ admin }: Pick<Stage, 'admin'>, from: number, upTo: number): Promise<void> {
  const range = [from, upTo - 1]
  await admin.query(
    `INSERT INTO identity.accounts (kind, wallet, name, created_at)
     SELECT 'agent', '0x' || lpad(to_hex(n), 40, '0'), 'filler', now() FROM generate_series($1::bigint, $2::bigint) AS n`,
    range,
  )
  await admin.query(
    `INSERT INTO identity.api_keys (key_id, account_id, hash, name, scopes, created_at)
     SELECT 'filler_' || n, a.account_id, encode(sha256(('filler ' || n)::bytea), 'hex'), 'filler', ARRAY['read'], now()
     FROM generate_series($1::bigint, $2::bigint) AS n JOIN identity.accounts a ON a.wallet = '0x' || lpad(to_hex(n), 40, '0')`,
    range,
  )
  // Ids far above the sequences never collide with real accounts.
  const id = '10000000 + n'
  await admin.query(
    `INSERT INTO subscriptions.ledger_account (id, holder_id, kind, balance)
     SELECT ${id}, ${id}, 'user', 10 FROM generate_series($1::bigint, $2::bigint) AS n`,
    range,
  )
  await admin.query(
    `INSERT INTO subscriptions.ledger_transfer (idempotency_key, kind, debit_account_id, credit_account_id, amount, reference, created_at)
     SELECT 'filler:' || n, 'welcome', n % 64, ${id}, 10, 'welcome', now() FROM generate_series($1::bigint, $2::bigint) AS n`,
    range,
  )
  await admin.query(
    `UPDATE subscriptions.ledger_account a SET balance = a.balance - 10 * f.count
     FROM (SELECT n % 64 AS id, count(*) FROM generate_series($1::bigint, $2::bigint) AS n GROUP BY 1) AS f WHERE f.id = a.id`,
    range,
  )
  await admin.query(
    'VACUUM (ANALYZE) identity.accounts, identity.api_keys, subscriptions.ledger_account, subscriptions.ledger_transfer',
  )
}

/** The cost of a request while accounts and transfers grow a thousandfold. */
export const flat: Benchmark = async ({ short, shared, note }) => {
  const sizes = short ? [1_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000]
  const stage = await shared()
  await using parts = new AsyncDisposableStack()
  await addPlayers(stage)
  await using services = await startServices(stage)
  await using generator = await startLoadGenerator()
  const post = await loadPost()
  const url = stage.prepared.environmentOf('subscriptions')['SVC_POSTGRES_URL'] ?? ''
  const pool = await openPool(url, { size: lanes })
  parts.defer(() => pool.end())
  const { port, pids } = services
  const durationMs = short ? 1_500 : 2_000
  const rounds = short ? 2 : 4
  const routes = ['/agent/mining/balance', '/agent/mining/fields/binance/BTC_USDT']
  const rows: string[][] = []
  const costs: number[] = []
  let filled = 0
  for (const size of sizes) {
    note(`flat: ${size.toLocaleString('en')} accounts and ledger transfers`)
    await fill(stage, filled, size)
    filled = size
    const measured = await measure(
      generator,
      routes.map((path) => ({
        name: path,
        pids,
        load: { port, durationMs, connections: 32, requests: keys.map((key) => get(path, key)) },
      })),
      rounds,
    )
    const at = new Date()
    const perTransfer: number[] = []
    for (let round = 0; round < rounds; round++) {
      const rate = await rateOf(
        (lane) =>
          post(pool, {
            key: randomUUID(),
            kind: 'adjustment',
            accountId: 5_000_000 + lane,
            amount: 1,
            reference: 'bench',
            at,
          }),
        lanes,
        durationMs,
      )
      perTransfer.push(1e6 / rate)
    }
    const cpu = routes.map((path) => measured.get(path)?.cpu ?? NaN)
    costs.push(cpu[0] ?? NaN)
    rows.push([size.toLocaleString('en'), ...cpu.map((value) => value.toFixed(0)), median(perTransfer).toFixed(0)])
  }
  const growth = (costs.at(-1) ?? NaN) / (costs[0] ?? NaN)
  const [least = 0, most = 0] = [sizes[0], sizes.at(-1)]
  return {
    figures: [
      {
        what: `Cost of a request at ${most.toLocaleString('en')} accounts and ledger transfers, against ${least.toLocaleString('en')}`,
        goal: 'flat (≤ 1.25 ×)',
        measured: `${growth.toFixed(2)} ×`,
        met: growth <= 1.25,
        holdsBack: 'Deeper indexes, and pages that are no longer all in Postgres’ own cache.',
      },
    ],
    tables: [
      {
        title: 'Cost as accounts and ledger transfers grow',
        head: [
          'accounts = transfers',
          ...routes.map((path) => `\`GET ${path}\`, CPU µs`),
          'ledger transfer, µs (16 at once)',
        ],
        rows,
      },
    ],
  }
}
