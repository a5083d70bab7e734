import pg from 'pg'

/**
 * Tables that change while requests without an effect are made: claims, events in transit, times at which agents were seen,
 * market news, facts of the Hall, the markets of the leg, workers that are heard from, spent weight at the venue, and the
 * proofs of balances, which a job makes once a day.
 */
const PASSING = new Set([
  'agent_activity',
  'balance_leaf',
  'balance_level',
  'balance_root',
  'balance_roots',
  'fact_agent',
  'fact_change',
  'fact_day',
  'fact_dirty',
  'fact_mandate',
  'fact_owner',
  'feed',
  'feed_item',
  'idempotency',
  'inbox',
  'leg_market_list',
  'outbox',
  'sent_event',
  'venue_weight',
  'worker',
  'worker_gap',
])

/** Counts the rows of every table of the given schemas, except passing ones. */
export async function rowCounts(
  databaseUrl: string,
  schemas: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ schema: string; name: string }>(
      'SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE schemaname = ANY ($1) ORDER BY 1, 2',
      [schemas],
    )
    const counts: Record<string, number> = {}
    for (const { schema, name } of rows.filter((row) => !PASSING.has(row.name))) {
      const at = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
      const found = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${at}`)
      counts[`${schema}.${name}`] = Number(found.rows[0]?.n)
    }
    return counts
  } finally {
    await client.end()
  }
}
