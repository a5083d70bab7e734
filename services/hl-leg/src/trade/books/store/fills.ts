import { exact } from '@svc/hyperliquid/rounding'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Holding } from '../rules/paper-state.ts'
import { decimalColumn, timeColumn } from './columns.ts'

const fillRow = z
  .object({
    book_id: z.number(),
    seq: z.number(),
    kind: z.enum(['order', 'liquidation']),
    order_id: z.string().nullable(),
    agent_id: z.number().nullable(),
    coin: z.string(),
    side: z.enum(['buy', 'sell']),
    opening: z.boolean(),
    asked_size: decimalColumn,
    size: decimalColumn,
    average_price: decimalColumn.nullable(),
    worst_price: decimalColumn.nullable(),
    limit_price: decimalColumn.nullable(),
    mark_price: decimalColumn,
    notional_usdc: decimalColumn,
    fee_usdc: decimalColumn,
    closed_pnl_usdc: decimalColumn,
    covered_usdc: decimalColumn,
    position_size: decimalColumn,
    position_entry_price: decimalColumn.nullable(),
    liquidation_price: decimalColumn.nullable(),
    equity_usdc: decimalColumn,
    book_at: timeColumn.nullable(),
    filled_at: timeColumn,
  })
  .transform((row) => ({
    bookId: row.book_id,
    seq: row.seq,
    kind: row.kind,
    orderId: row.order_id,
    agentId: row.agent_id,
    coin: row.coin,
    side: row.side,
    opening: row.opening,
    askedSize: row.asked_size,
    size: row.size,
    averagePrice: row.average_price,
    worstPrice: row.worst_price,
    limitPrice: row.limit_price,
    markPrice: row.mark_price,
    notionalUsdc: row.notional_usdc,
    feeUsdc: row.fee_usdc,
    closedPnlUsdc: row.closed_pnl_usdc,
    coveredUsdc: row.covered_usdc,
    positionSize: row.position_size,
    positionEntryPrice: row.position_entry_price,
    liquidationPrice: row.liquidation_price,
    equityUsdc: row.equity_usdc,
    bookAt: row.book_at,
    filledAt: row.filled_at,
  }))
/** What an order or a liquidation filled, with the position and the equity after it; of size 0 for an order that missed. */
export type StoredFill = z.output<typeof fillRow>

const columns = sql.fragment`book_id, seq, kind, order_id, agent_id, coin, side, opening, asked_size, size, average_price,
  worst_price, limit_price, mark_price, notional_usdc, fee_usdc, closed_pnl_usdc, covered_usdc, position_size,
  position_entry_price, liquidation_price, equity_usdc, book_at, filled_at`

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
    INSERT INTO paper_fill (book_id, seq, kind, order_id, agent_id, coin, side, opening, asked_size, size, average_price,
      worst_price, limit_price, mark_price, notional_usdc, fee_usdc, closed_pnl_usdc, covered_usdc, position_size,
      position_entry_price, liquidation_price, equity_usdc, book_at, filled_at)
    VALUES (${fill.bookId}, ${fill.seq}, ${fill.kind}, ${fill.orderId}, ${fill.agentId}, ${fill.coin}, ${fill.side},
      ${fill.opening}, ${fill.askedSize}, ${fill.size}, ${fill.averagePrice}, ${fill.worstPrice}, ${fill.limitPrice},
      ${fill.markPrice}, ${fill.notionalUsdc}, ${fill.feeUsdc}, ${fill.closedPnlUsdc}, ${fill.coveredUsdc},
      ${holding.size}, ${holding.entryPrice}, ${fill.liquidationPrice}, ${fill.equityUsdc},
      ${fill.bookAt === null ? null : fill.bookAt.toISOString()}, ${at})
    RETURNING ${columns}`)
}
