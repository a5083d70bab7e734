import { exact } from '@svc/hyperliquid/rounding'
import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Holding } from '../rules/paper-state.ts'
import { decimalColumn } from './columns.ts'

const fills = table('paper_fill', {
  bookId: z.number(),
  seq: z.number(),
  kind: z.enum(['order', 'liquidation']),
  orderId: z.string().nullable(),
  agentId: z.number().nullable(),
  coin: z.string(),
  side: z.enum(['buy', 'sell']),
  opening: z.boolean(),
  askedSize: decimalColumn,
  size: decimalColumn,
  averagePrice: decimalColumn.nullable(),
  worstPrice: decimalColumn.nullable(),
  limitPrice: decimalColumn.nullable(),
  markPrice: decimalColumn,
  notionalUsdc: decimalColumn,
  feeUsdc: decimalColumn,
  closedPnlUsdc: decimalColumn,
  coveredUsdc: decimalColumn,
  positionSize: decimalColumn,
  positionEntryPrice: decimalColumn.nullable(),
  liquidationPrice: decimalColumn.nullable(),
  equityUsdc: decimalColumn,
  bookAt: instant.nullable(),
  filledAt: instant,
})
const { row: fillRow, list: columns } = fills
/** What an order or a liquidation filled, with the position and the equity after it; of size 0 for an order that missed. */
export type StoredFill = RowOf<typeof fills>

/** Returns the fill of an order that has one. */
export function findFill(db: Db, orderId: string): Promise<StoredFill> {
  return db.one(sql.type(fillRow)`
    SELECT ${columns} FROM paper_fill WHERE order_id = ${orderId}`)
}

/** Lists the fills of a book before a row, newest first; orders that missed are left out. */
export function listFills(db: Db, bookId: number, before: number, max: number): Promise<readonly StoredFill[]> {
  return db.any(sql.type(fillRow)`
    SELECT ${columns} FROM paper_fill WHERE book_id = ${bookId} AND seq < ${before} AND size > 0
    ORDER BY seq DESC LIMIT ${max}`)
}

/** What a fill changes of a book whose lock is held. */
export interface BookChange {
  readonly fill: Omit<StoredFill, 'positionSize' | 'positionEntryPrice'>
  readonly holding: Holding
  /** Whether any position is left. */
  readonly hasPositions: boolean
  readonly cashUsdc: string
  readonly peakUsdc: string
  readonly maxDrawdownBps: number
  /** Mark prices of all positions after it, by coin. */
  readonly marks: Readonly<Record<string, string>>
}

/**
 * Stores a fill with the book, the position and the row of the equity series that follow from it; a miss changes only the
 * count of the book. `fill.seq` is the number of the fill, and the next one of the equity row.
 */
export function storeFill(tx: Tx, change: BookChange): Promise<StoredFill> {
  const { fill, holding } = change
  const at = fill.filledAt.toISOString()
  const didFill = exact(fill.size).gt(0)
  const cause = fill.kind === 'order' ? 'fill' : 'liquidation'
  const stored = { ...fill, positionSize: holding.size, positionEntryPrice: holding.entryPrice }
  // One statement, so that a fill costs one round trip. A position that is opened again owes nothing for the hours in
  // which it was flat; hours before that are still owed while they are not paid.
  return tx.one(sql.prepared('paper_fill_store', fillRow)`
    WITH booked AS (
      UPDATE paper_book SET seq = ${fill.seq + (didFill ? 1 : 0)}, cash_usdc = ${change.cashUsdc},
        fees_usdc = fees_usdc + ${fill.feeUsdc}::numeric, peak_usdc = ${change.peakUsdc},
        max_drawdown_bps = ${change.maxDrawdownBps}, has_positions = ${change.hasPositions},
        charted_at = CASE WHEN ${didFill} THEN ${at}::timestamptz ELSE charted_at END
      WHERE id = ${fill.bookId}
    ), held AS (
      INSERT INTO paper_position AS p (book_id, coin, size, entry_price, mark_price, max_leverage, marked_at, changed_at,
        changed_hour, funded_to)
      SELECT ${fill.bookId}, ${fill.coin}, ${holding.size}::numeric, ${holding.entryPrice}::numeric,
        ${fill.markPrice}::numeric, ${holding.maxLeverage}::int, at, at, date_trunc('hour', at, 'UTC'),
        date_trunc('hour', at, 'UTC')
      FROM (SELECT ${at}::timestamptz AS at) AS moment WHERE ${didFill}
      ON CONFLICT (book_id, coin) DO UPDATE SET size = excluded.size, entry_price = excluded.entry_price,
        mark_price = excluded.mark_price, max_leverage = excluded.max_leverage, marked_at = excluded.marked_at,
        changed_at = excluded.changed_at, changed_hour = excluded.changed_hour,
        funded_to = CASE WHEN p.size = 0 AND p.funded_to >= p.changed_hour THEN excluded.funded_to ELSE p.funded_to END
    ), charted AS (
      INSERT INTO paper_equity (book_id, seq, at, cause, equity_usdc, marks)
      SELECT ${fill.bookId}, ${fill.seq + 1}, ${at}::timestamptz, ${cause}, ${fill.equityUsdc}::numeric,
        ${JSON.stringify(change.marks)}::jsonb
      WHERE ${didFill}
    )
    ${fills.insert(stored)}
    RETURNING ${columns}`)
}
