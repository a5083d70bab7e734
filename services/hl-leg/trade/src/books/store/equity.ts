import { instant, json, sql, table, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'
import { decimalColumn } from './columns.ts'

const rows = table('paper_equity', {
  bookId: z.number(),
  seq: z.number(),
  at: instant,
  cause: z.enum(['start', 'fill', 'hour', 'liquidation']),
  equityUsdc: decimalColumn,
  marks: json(z.record(z.string(), z.string())),
})
/** A row of the equity series with the mark prices that it was computed from, by coin. */
export type StoredEquity = RowOf<typeof rows>

/** Lists the equity series of a book before a row, newest first. */
export function listEquity(db: Db, bookId: number, before: number, max: number): Promise<readonly StoredEquity[]> {
  return db.any(sql.type(rows.row)`
    SELECT ${rows.list} FROM paper_equity
    WHERE book_id = ${bookId} AND seq < ${before} ORDER BY seq DESC LIMIT ${max}`)
}
