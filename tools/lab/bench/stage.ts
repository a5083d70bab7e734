import { schemaOf, type Environment } from '@svc/contract'
import { openPool } from '@svc/postgres'
import { freePort } from '@svc/servers'
import pg from 'pg'
import { preparePlatform, type Prepared } from '@svc/tools/dev/platform.ts'
import { SERVICES, serviceProcess } from '@svc/tools/dev/services.ts'
import { accountOfHash } from './hop/keys.ts'
import { loadPost } from './ledger-post.ts'
import { openSink } from './sink.ts'

/** Accounts whose keys the load generator uses. */
const players = [...accountOfHash]

/** The servers of the platform with a durable Postgres. Benchmarks of a run share it; each uses schemas of its own. */
export interface Stage extends AsyncDisposable {
  readonly prepared: Prepared
  /** The superuser in the platform's database. */
  readonly admin: pg.Client
}

/** Services as processes. */
interface Services extends AsyncDisposable {
  readonly port: number
  readonly pids: readonly number[]
}

export async function openStage(dataDir: string, { leg = false } = {}): Promise<Stage> {
  const prepared = await preparePlatform({ dataDir, publicUrl: 'http://127.0.0.1:8080', durable: true, leg })
  const url = new URL(prepared.servers.postgres.url)
  url.pathname = '/platform'
  const admin = new pg.Client({ connectionString: url.href })
  admin.on('error', () => {})
  await admin.connect()
  return {
    prepared,
    admin,
    [Symbol.asyncDispose]: async () => {
      await admin.end()
      await prepared.servers.stop()
    },
  }
}

/** Starts a process per service, as in production: all services, or those named. */
export async function startServices(
  { prepared }: Pick<Stage, 'prepared'>,
  {
    names = SERVICES,
    settings = {},
    port: given,
  }: { readonly names?: readonly string[]; readonly settings?: Environment; readonly port?: number } = {},
): Promise<Services> {
  await using parts = new AsyncDisposableStack()
  const port = given ?? (await freePort())
  const sink = parts.use(await openSink())
  const more = {
    SVC_POSTGRES_POOL: '10',
    ...settings,
    SVC_PORT: String(port),
    SVC_OTLP_URL: sink.url,
    SVC_TRACE_RATIO: '0.01',
  }
  const running = names.map((name) => serviceProcess(name, prepared.environmentOf(name, more)))
  for (const service of running) {
    parts.defer(async () => void (await service.stop()))
    await service.start()
  }
  const { postgres, nats, redis } = prepared.servers
  const pids = [...running, postgres, nats, redis].flatMap((one) => one.pid() ?? [])
  const started = parts.move()
  return { port, pids, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** Registers the accounts of the load generator, once: keys, Tier 2 for a year, a ledger account with 1000 Cherry. */
export async function addPlayers({ admin, prepared }: Stage): Promise<void> {
  const identity = schemaOf('identity')
  const subscriptions = schemaOf('subscriptions')
  const hashes = players.map(([hash]) => hash)
  const { rowCount } = await admin.query(`SELECT FROM ${identity}.api_keys WHERE name = 'bench' LIMIT 1`)
  if (rowCount === 1) return
  await admin.query(
    `INSERT INTO ${identity}.accounts (kind, wallet, name, created_at)
     SELECT 'agent', '0x' || left(hash, 40), 'bench', now() FROM unnest($1::text[]) AS hash`,
    [hashes],
  )
  await admin.query(
    `INSERT INTO ${identity}.api_keys (key_id, account_id, hash, name, scopes, created_at)
     SELECT 'key_' || left(hash, 16), a.account_id, hash, 'bench', ARRAY['read', 'write'], now()
     FROM unnest($1::text[]) AS hash JOIN ${identity}.accounts a ON a.wallet = '0x' || left(hash, 40)`,
    [hashes],
  )
  const { rows } = await admin.query<{ account_id: string }>(
    `SELECT account_id FROM ${identity}.api_keys WHERE name = 'bench'`,
  )
  const ids = rows.map((row) => row.account_id)
  await admin.query(
    `INSERT INTO ${subscriptions}.subscription (account_id, tier, started_at, ends_at, paid, bought_seconds)
     SELECT id, 2, now(), now() + interval '1 year', 1, 31536000 FROM unnest($1::bigint[]) AS id
     ON CONFLICT (account_id) DO UPDATE SET tier = 2, ends_at = excluded.ends_at`,
    [ids],
  )
  const post = await loadPost()
  const pool = await openPool(prepared.environmentOf('subscriptions')['SVC_POSTGRES_URL'] ?? '')
  for (const id of ids.map(Number)) {
    const key = `bench-gift:${id}`
    await post(pool, { key, kind: 'adjustment', accountId: id, amount: 1_000, reference: 'bench', at: new Date() })
  }
  await pool.end()
}
