import { openPool, sql, type Pool } from '@svc/postgres'
import { z } from 'zod'

const row = z.object({ id: z.number(), text: z.string() })

/** The floor of everything that reads or writes a database: a table with one index, and a statement for each. */
export interface Rows {
  read(id: number): Promise<z.output<typeof row>>
  readFrom(id: number, count: number): Promise<readonly z.output<typeof row>[]>
  add(text: string): Promise<number>
}

/** The rows of the database of `SVC_POSTGRES_URL`; null without one. */
export async function openRows(url: string | undefined): Promise<Rows | null> {
  if (url === undefined) return null
  const pool: Pool = await openPool(url, { size: 10 })
  return {
    read: (id) => pool.one(sql.prepared('bench_read', row)`SELECT id, text FROM bench_row WHERE id = ${id}`),
    readFrom: (id, count) =>
      pool.any(sql.prepared('bench_read_from', row)`
        SELECT id, text FROM bench_row WHERE id >= ${id} AND id < ${id + count} ORDER BY id`),
    add: async (text) => {
      const added = await pool.one(sql.prepared('bench_add', z.object({ id: z.number() }))`
        INSERT INTO bench_row (text) VALUES (${text}) RETURNING id`)
      return added.id
    },
  }
}

/** The table, for the superuser to make. */
export const rowsTable = (schema: string, role: string, rows: number): string => `
  CREATE TABLE ${schema}.bench_row (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL);
  GRANT SELECT, INSERT ON ${schema}.bench_row TO ${role};
  INSERT INTO ${schema}.bench_row (text) SELECT repeat(md5(n::text), 12) FROM generate_series(1, ${rows}) AS n`
