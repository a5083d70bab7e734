import { withClient } from '@svc/servers'
import pg from 'pg'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'

/** Rows of events move from the first of these tables to the second as they are published: together they have every event. */
const EVENTS = ['outbox', 'sent_event']
/** The relay writes the last number that it gave here. It numbers events of earlier calls whenever it runs. */
const OF_RELAY = 'outbox_head'

/** Digests of all rows, by table; the events and the claims of keys among them. */
async function rowsOf(databaseUrl: string): Promise<Readonly<Record<string, string>>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, tablename AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
    )
    const digests: Record<string, string> = {}
    const digest = async (name: string, from: string) => {
      const found = await client.query<{ digest: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS digest FROM ${from} t`,
      )
      digests[name] = found.rows[0]?.digest ?? ''
    }
    const at = (table: (typeof rows)[number]) =>
      `${pg.escapeIdentifier(table.schema)}.${pg.escapeIdentifier(table.name)}`
    const events = rows.filter(({ name }) => EVENTS.includes(name)).map((table) => `SELECT id FROM ${at(table)}`)
    if (events.length > 0) await digest(EVENTS.join(' and '), `(${events.join(' UNION ')})`)
    for (const table of rows) if (![...EVENTS, OF_RELAY].includes(table.name)) await digest(table.name, at(table))
    return digests
  })
}

/**
 * Runs a call and expects that no row of the service changed, was added or is gone: of no table, not even those of events
 * and of Idempotency-Keys, but for the tables of `besides`, which others write meanwhile. Returns what the call returned.
 */
export async function changesNothing<T>(
  databaseUrl: string,
  call: () => Promise<T>,
  besides: readonly string[] = [],
): Promise<T> {
  const rows = async () => {
    const all = await rowsOf(databaseUrl)
    return Object.fromEntries(Object.entries(all).filter(([name]) => !besides.includes(name)))
  }
  // Work that earlier calls began in the background ends.
  let before = await rows()
  await eventually(async () => {
    const earlier = before
    before = await rows()
    expect(before).toEqual(earlier)
  })
  const answer = await call()
  expect(await rows(), 'rows after the call').toEqual(before)
  return answer
}
