import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { decimalColumn, timeColumn } from './columns.ts'

const equityRow = z
  .object({
    book_id: z.number(),
    seq: z.number(),
    at: timeColumn,
    cause: z.enum(['start', 'fill', 'hour', 'liquidation']),
    equity_usdc: decimalColumn,
    marks: z.record(z.string(), z.string()),
  })
  .transform((row) => ({
    bookId: row.book_id,
    seq: row.seq,
    at: row.at,
    cause: row.cause,
    equityUsdc: row.equity_usdc,
    marks: row.marks,
  }))
/** A row of the equity series with the mark prices that it was computed from, by coin. */
export type StoredEquity = z.output<typeof equityRow>

/** Lists the equity series of a book before a row, newest first. */
export function listEquity(db: Db, bookId: number, before: number, max: number): Promise<readonly StoredEquity[]> {
  return db.any(sql.type(equityRow)`
    SELECT book_id, seq, at, cause, equity_usdc, marks FROM paper_equity
    WHERE book_id = ${bookId} AND seq < ${before} ORDER BY seq DESC LIMIT ${max}`)
}
