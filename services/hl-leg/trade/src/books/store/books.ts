import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Holding } from '../rules/paper-state.ts'
import { decimalColumn } from './columns.ts'

const books = table('paper_book', {
  id: z.number(),
  book: z.string(),
  ownerId: z.number(),
  name: z.string(),
  startUsdc: decimalColumn,
  cashUsdc: decimalColumn,
  feesUsdc: decimalColumn,
  fundingUsdc: decimalColumn,
  peakUsdc: decimalColumn,
  maxDrawdownBps: z.number(),
  seq: z.number(),
  createdAt: instant,
})
const { row: bookRow, list: columns } = books
/** A paper book as stored; amounts are decimal text, `seq` is the number of its newest row. */
export type PaperBook = RowOf<typeof books>

/**
 * Stores a book with the first row of its equity series. Returns null if its owner has `max` books already; calls of an
 * owner wait for each other, so that none is stored beyond them.
 */
export async function insertBook(
  tx: Tx,
  { book, ownerId, name, startUsdc }: Pick<PaperBook, 'book' | 'ownerId' | 'name' | 'startUsdc'>,
  now: Date,
  max: number,
): Promise<PaperBook | null> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`paper_book ${ownerId}`}, 0))`)
  const at = now.toISOString()
  return tx.maybeOne(sql.type(bookRow)`
    WITH made AS (
      INSERT INTO paper_book (book, owner_id, name, start_usdc, cash_usdc, peak_usdc, seq, charted_at, created_at)
      SELECT ${book}, ${ownerId}, ${name}, ${startUsdc}, ${startUsdc}, ${startUsdc}, 1, ${at}, ${at}
      WHERE (SELECT count(*) FROM paper_book WHERE owner_id = ${ownerId}) < ${max}
      RETURNING *
    ), charted AS (
      INSERT INTO paper_equity (book_id, seq, at, cause, equity_usdc, marks)
      SELECT id, seq, created_at, 'start', start_usdc, '{}' FROM made
    )
    SELECT ${columns} FROM made`)
}

/** Lists the books of an owner, oldest first. */
export function listBooks(db: Db, ownerId: number, max: number): Promise<readonly PaperBook[]> {
  return db.any(sql.type(bookRow)`
    SELECT ${columns} FROM paper_book WHERE owner_id = ${ownerId} ORDER BY id LIMIT ${max}`)
}

/** Returns a book of an owner: the named one, or the oldest without a name; null if there is none. */
export function findBook(db: Db, ownerId: number, book: string | null): Promise<PaperBook | null> {
  return db.maybeOne(sql.type(bookRow)`
    SELECT ${columns} FROM paper_book
    WHERE owner_id = ${ownerId} AND (${book}::text IS NULL OR book = ${book}) ORDER BY id LIMIT 1`)
}

/** The same under the lock of the book, which every writer of the book holds. */
export function lockBook(tx: Tx, ownerId: number, book: string | null): Promise<PaperBook | null> {
  return tx.maybeOne(sql.prepared('paper_book_lock', bookRow)`
    SELECT ${columns} FROM paper_book
    WHERE owner_id = ${ownerId} AND (${book}::text IS NULL OR book = ${book}) ORDER BY id LIMIT 1 FOR UPDATE`)
}

/** Locks a book by its row id. */
export function lockBookById(tx: Tx, id: number): Promise<PaperBook> {
  return tx.one(sql.type(bookRow)`SELECT ${columns} FROM paper_book WHERE id = ${id} FOR UPDATE`)
}

const holdings = table('paper_position', {
  bookId: z.number(),
  coin: z.string(),
  size: decimalColumn,
  entryPrice: decimalColumn.nullable(),
  markPrice: decimalColumn,
  maxLeverage: z.number(),
  markedAt: instant,
})
/** A position with the time of its mark price. */
export type StoredHolding = Holding & { readonly bookId: number; readonly markedAt: Date }

/** Lists the open positions of books, by coin. */
export function holdingsOf(db: Db, bookIds: readonly number[]): Promise<readonly StoredHolding[]> {
  return db.any(sql.prepared('paper_holdings', holdings.row)`
    SELECT ${holdings.list} FROM paper_position
    WHERE book_id = ANY(${sql.array([...bookIds], 'int8')}) AND size <> 0 ORDER BY book_id, coin`)
}

const orderedRow = z.object({ known: z.boolean(), coin: z.string().nullable() }).loose()

/** Reads in one statement the open positions of a book, and whether an order has a fill already. */
export async function holdingsForOrder(
  db: Db,
  bookId: number,
  orderId: string,
): Promise<{ readonly known: boolean; readonly holdings: readonly StoredHolding[] }> {
  const rows = await db.any(sql.prepared('paper_holdings_for_order', orderedRow)`
    SELECT fill.known, ${holdings.listOf('p')}
    FROM (SELECT EXISTS (SELECT FROM paper_fill WHERE order_id = ${orderId}) AS known) AS fill
    LEFT JOIN paper_position p ON p.book_id = ${bookId} AND p.size <> 0 ORDER BY p.coin`)
  const held = rows.filter(({ coin }) => coin !== null).map((row) => holdings.row.parse(row))
  return { known: rows.some(({ known }) => known), holdings: held }
}

/** Lets a transaction read everything as it was at its first statement, and write nothing. */
export async function readOneSnapshot(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`)
}
