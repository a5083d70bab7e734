import pg from 'pg'

const CONNECT_MS = 20_000
/** More events than a service emits between the moment of a backup and its restore. */
const SKIPPED_IDS = 1_000_000_000

/**
 * Puts the sent events of a schema back into its outbox under their ids, before what waits there. They get new numbers, so
 * that the streams take them again; inboxes ignore those that took effect. Services may run meanwhile: needed after a
 * consumer or a stream was lost and made again.
 *
 * `restored`: the database went back to an earlier moment. Then it throws while a service of the schema is connected, and
 * the ids of later events skip a range: events that the restored database does not know may have used the next ones,
 * and a consumer would ignore another event with such an id.
 *
 * Connects as a superuser or the schema's migrator. Returns the number of events in the outbox.
 */
export async function publishAgain({
  url,
  schema,
  restored,
}: {
  readonly url: string
  readonly schema: string
  readonly restored: boolean
}): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    if (restored) await refuseServices(client, schema)
    await client.query('BEGIN')
    await client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(`${schema}_owner`)}`)
    await client.query(`SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}`)
    if (restored) await skipIds(client)
    await putBack(client)
    const waiting = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM outbox')
    await client.query('COMMIT')
    return waiting.rows[0]?.n ?? 0
  } finally {
    await client.end()
  }
}

async function refuseServices(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE $1 LIMIT 1',
    [`${schema}\\_app%`],
  )
  if (rowCount !== 0) throw new Error(`${schema} is connected: stop all services first`)
}

async function skipIds(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ next: string }>('SELECT last_value + $1::bigint AS next FROM outbox_id_seq', [
    SKIPPED_IDS,
  ])
  await client.query(`ALTER TABLE outbox ALTER COLUMN id RESTART WITH ${BigInt(rows[0]?.next ?? 0)}`)
}

/**
 * Gives new numbers, in their order, to the sent events and to those that a relay has taken, and puts all of them into the outbox. A
 * relay that has published a batch of them finds other numbers and publishes them again.
 */
async function putBack(client: pg.Client): Promise<void> {
  // A batch that a relay is moving is moved before the next statement, or stays in the outbox. Services go on writing events.
  await client.query('LOCK TABLE sent_event IN SHARE ROW EXCLUSIVE MODE')
  // The relay takes no event before these are numbered.
  await client.query('SELECT FROM outbox_head FOR UPDATE')
  await client.query(`
    WITH again AS (DELETE FROM sent_event RETURNING id, seq, subject, payload, created_at),
    numbered AS (SELECT again.*, row_number() OVER (ORDER BY seq) AS n FROM again),
    taken AS (
      SELECT id, row_number() OVER (ORDER BY seq) + (SELECT count(*) FROM again) AS n FROM outbox WHERE seq IS NOT NULL
    ),
    renumbered AS (UPDATE outbox SET seq = head.seq + taken.n FROM taken, outbox_head AS head WHERE outbox.id = taken.id),
    moved AS (UPDATE outbox_head SET seq = seq + (SELECT count(*) FROM again) + (SELECT count(*) FROM taken))
    INSERT INTO outbox (id, seq, subject, payload, created_at) OVERRIDING SYSTEM VALUE
    SELECT id, head.seq + n, subject, payload, numbered.created_at FROM numbered, outbox_head AS head`)
}
