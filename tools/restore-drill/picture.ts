import { schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { withClient, type Server } from '@svc/servers'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { PATIENCE } from './patience.ts'

/** What every table of the services contains, at one instant. */
export interface Picture {
  /** Time at which it was taken. */
  readonly at: Date
  /** Rows and digest by `schema.table`. */
  readonly tables: ReadonlyMap<string, Content>
  /** Balances by account of the ledger. */
  readonly balances: ReadonlyMap<string, string>
}

interface Content {
  readonly rows: number
  readonly digest: string
}

/** A statement about what was restored. */
export interface Comparison {
  readonly what: string
  /** Null if it is as it must be. */
  readonly differs: string | null
}

const DATABASE = 'platform'
const NAMED_MAX = 5
/** Shorter than `deadlock_timeout`: Postgres cancels no other session, and the drill asks for the lock again. */
const LOCK_MS = 400

const SCHEMAS = contracts.filter(({ postgres }) => postgres).map(({ name }) => schemaOf(name))

/** Returns the address of the platform's database for the superuser. */
export function databaseOf({ url }: Pick<Server, 'url'>): string {
  const address = new URL(url)
  address.pathname = `/${DATABASE}`
  return address.href
}

/** Partitions are read by their parents. */
async function tablesOf(client: pg.Client): Promise<readonly (readonly [name: string, quoted: string])[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY ($1) ORDER BY 1, 2`,
    [SCHEMAS],
  )
  return rows.map(({ schema, name }) => [
    `${schema}.${name}`,
    `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
  ])
}

async function read(client: pg.Client): Promise<Picture> {
  const tables = new Map<string, Content>()
  for (const [name, table] of await tablesOf(client)) {
    const { rows } = await client.query<{ rows: number; digest: string | null }>(
      `SELECT count(*)::int AS rows, md5(string_agg(line, '' ORDER BY line)) AS digest
       FROM (SELECT md5(t::text) AS line FROM ${table} t) lines`,
    )
    tables.set(name, { rows: rows[0]?.rows ?? 0, digest: rows[0]?.digest ?? '' })
  }
  const { rows } = await client.query<{ id: string; balance: string }>(
    'SELECT id, balance FROM subscriptions.ledger_account',
  )
  return { at: new Date(), tables, balances: new Map(rows.map(({ id, balance }) => [id, balance])) }
}

/** Takes a picture of a database that nobody writes to. */
export const pictureOf = (postgres: Pick<Server, 'url'>): Promise<Picture> => withClient(databaseOf(postgres), read)

/**
 * Names a moment in the log and takes a picture of exactly that moment while services work: writers wait at the locks
 * meanwhile.
 */
export const nameMomentWithPicture = (postgres: Pick<Server, 'url'>, name: string): Promise<Picture> =>
  eventually(
    () =>
      withClient(databaseOf(postgres), async (client) => {
        await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}`)
        const tables = (await tablesOf(client)).map(([, table]) => table)
        await client.query(`LOCK TABLE ${tables.join(', ')} IN SHARE MODE`)
        const picture = await read(client)
        await client.query('SELECT pg_create_restore_point($1)', [name])
        await client.query('COMMIT')
        return picture
      }),
    PATIENCE,
  )

/** What is compared, table by table; the last group has all that no other has. */
const GROUPS: readonly (readonly [what: string, has: RegExp])[] = [
  ['ledger', /^subscriptions\.ledger_/],
  ['accounts and keys', /^identity\./],
  ['mandates and their records', /^mandates\.(mandate|signed_terms|record_entry|chain_fact|vault|worth)$/],
  ['feeds', /^subscriptions\.feed/],
  ['cursors and inboxes', /\.(cursor|inbox)$/],
  ['outboxes and sent events', /\.(outbox|sent_event)$/],
  ['all other tables', /./],
]

/** Compares a restored database with the picture of the moment. */
export function compare(wanted: Picture, found: Picture): readonly Comparison[] {
  const names = [...new Set([...wanted.tables.keys(), ...found.tables.keys()])]
  const groupOf = (name: string) => GROUPS.findIndex(([, has]) => has.test(name))
  const groups = GROUPS.map(([what], index) => {
    const members = names.filter((name) => groupOf(name) === index)
    const rows = members.reduce((sum, name) => sum + (wanted.tables.get(name)?.rows ?? 0), 0)
    const other = members.filter((name) => wanted.tables.get(name)?.digest !== found.tables.get(name)?.digest)
    return { what: `${what}: ${rows} rows in ${members.length} tables`, differs: listed(other) }
  })
  const accounts = [...new Set([...wanted.balances.keys(), ...found.balances.keys()])]
  const other = accounts.filter((id) => wanted.balances.get(id) !== found.balances.get(id))
  const sum = [...found.balances.values()].reduce((total, balance) => total + BigInt(balance), 0n)
  return [
    { what: `balance of each of ${accounts.length} accounts of the ledger`, differs: listed(other) },
    { what: 'all balances sum to zero', differs: sum === 0n ? null : `they sum to ${sum}` },
    ...groups,
  ]
}

function listed(names: readonly string[]): string | null {
  if (names.length === 0) return null
  const more = names.length - NAMED_MAX
  return `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
