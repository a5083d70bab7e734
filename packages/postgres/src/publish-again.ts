import pg from 'pg'

const CONNECT_MS = 20_000
/** More events than a service emits between the moment of a backup and its restore. */
const SKIPPED_IDS = 1_000_000_000

/**
 * Puts the sent events of a schema back into its outbox, so that they are published again under their ids; inboxes ignore
 * those that took effect. Needed once after the database was restored to an earlier moment or the streams were lost, before
 * the services start. The ids of later events skip a range: events that the restored database does not know may have
 * used the next ones, and a consumer would ignore another event with such an id. Connects as a superuser or the schema's
 * migrator. Returns the number of events in the outbox. Throws if a service of the schema is connected.
 */
export async function publishAgain({
  url,
  schema,
}: {
  readonly url: string
  readonly schema: string
}): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE $1 LIMIT 1',
      [`${schema}\\_app%`],
    )
    if (rowCount !== 0) throw new Error(`${schema} is connected: stop all services first`)
    await client.query('BEGIN')
    await client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(`${schema}_owner`)}`)
    await client.query(`SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}`)
    await client.query('LOCK TABLE outbox, sent_event')
    const { rows } = await client.query<{ next: string }>('SELECT last_value + $1::bigint AS next FROM outbox_id_seq', [
      SKIPPED_IDS,
    ])
    await client.query(`ALTER TABLE outbox ALTER COLUMN id RESTART WITH ${BigInt(rows[0]?.next ?? 0)}`)
    await client.query(`
      WITH again AS (DELETE FROM sent_event RETURNING id, seq, subject, payload, created_at)
      INSERT INTO outbox (id, seq, subject, payload, created_at) OVERRIDING SYSTEM VALUE
      SELECT id, seq, subject, payload, created_at FROM again`)
    const waiting = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM outbox')
    await client.query('COMMIT')
    return waiting.rows[0]?.n ?? 0
  } finally {
    await client.end()
  }
}
