import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Mark price of a market, decimal text. */
export interface Mark {
  readonly coin: string
  readonly price: string
  readonly maxLeverage: number
}

const coinRow = z.object({ coin: z.string() })
const idRow = z.object({ id: z.number() })

/** Lists the markets in which any book has a position. */
export async function heldCoins(db: Db, max: number): Promise<readonly string[]> {
  const rows = await db.any(sql.type(coinRow)`
    SELECT DISTINCT coin FROM paper_position WHERE size <> 0 ORDER BY coin LIMIT ${max}`)
  return rows.map(({ coin }) => coin)
}

/** Locks the next books with positions, in the order in which every job locks them. */
export async function lockOpenBooks(tx: Tx, after: number, max: number): Promise<readonly number[]> {
  const rows = await tx.any(sql.type(idRow)`
    SELECT id FROM paper_book WHERE has_positions AND id > ${after} ORDER BY id LIMIT ${max} FOR UPDATE`)
  return rows.map(({ id }) => id)
}

/**
 * Values books, whose locks are held, at mark prices: stores the marks of their positions, the peak and the greatest fall
 * of their equity, and once an hour a row of the equity series. Returns the books whose equity is below their maintenance
 * margin; a book with a position whose mark is missing is valued at its last one and never among them.
 */
export async function markLocked(
  tx: Tx,
  ids: readonly number[],
  marks: readonly Mark[],
  now: Date,
): Promise<readonly number[]> {
  const at = now.toISOString()
  const column = (of: (mark: Mark) => string) => sql.array(marks.map(of), 'text')
  // One statement for all books of a batch. All parts read the rows as they were before it, so the marks are joined in and
  // not read back from the positions.
  const rows = await tx.any(sql.prepared('paper_mark_locked', idRow)`
    WITH mark AS (
      SELECT coin, price::numeric AS price, leverage::int AS leverage
      FROM unnest(${column(({ coin }) => coin)}, ${column(({ price }) => price)},
        ${column(({ maxLeverage }) => String(maxLeverage))}) AS given (coin, price, leverage)
    ), held AS MATERIALIZED (
      SELECT p.book_id, p.coin, p.size, coalesce(m.price, p.mark_price) AS price,
        coalesce(m.leverage, p.max_leverage) AS leverage, m.coin IS NOT NULL AS fresh
      FROM paper_position p LEFT JOIN mark m ON m.coin = p.coin
      WHERE p.book_id = ANY(${sql.array([...ids], 'int8')}) AND p.size <> 0
    ), worth AS MATERIALIZED (
      SELECT b.id, round(b.cash_usdc + sum(h.size * h.price), 6) AS equity,
        sum(abs(h.size) * h.price / (2 * h.leverage)) AS maintenance, bool_and(h.fresh) AS fresh,
        jsonb_object_agg(h.coin, trim_scale(h.price)::text) AS marks,
        date_trunc('hour', b.charted_at, 'UTC') < date_trunc('hour', ${at}::timestamptz, 'UTC') AS due
      FROM paper_book b JOIN held h ON h.book_id = b.id GROUP BY b.id
    ), marked AS (
      UPDATE paper_position p SET mark_price = h.price, max_leverage = h.leverage, marked_at = ${at}::timestamptz
      FROM held h WHERE p.book_id = h.book_id AND p.coin = h.coin AND h.fresh
    ), drawn AS (
      UPDATE paper_book b SET peak_usdc = greatest(b.peak_usdc, w.equity),
        max_drawdown_bps = greatest(b.max_drawdown_bps, least(10000, floor(
          (greatest(b.peak_usdc, w.equity) - w.equity) * 10000 / greatest(b.peak_usdc, w.equity))::int)),
        seq = b.seq + CASE WHEN w.due THEN 1 ELSE 0 END,
        charted_at = CASE WHEN w.due THEN ${at}::timestamptz ELSE b.charted_at END
      FROM worth w WHERE b.id = w.id
      RETURNING b.id, b.seq, w.due, w.equity, w.marks
    ), charted AS (
      INSERT INTO paper_equity (book_id, seq, at, cause, equity_usdc, marks)
      SELECT id, seq, ${at}::timestamptz, 'hour', equity, marks FROM drawn WHERE due
    )
    SELECT id FROM worth WHERE fresh AND equity < maintenance ORDER BY id`)
  return rows.map(({ id }) => id)
}

/** Days for which hourly rows of the equity series are kept. */
export const HOURLY_KEPT_DAYS = 400

/** Deletes hourly rows of the equity series that are too old, at most `max`. */
export async function forgetHourly(db: Db, now: Date, max: number): Promise<void> {
  await db.query(sql.unsafe`
    DELETE FROM paper_equity WHERE (book_id, seq) IN (
      SELECT book_id, seq FROM paper_equity
      WHERE cause = 'hour' AND at < ${now.toISOString()}::timestamptz - make_interval(days => ${HOURLY_KEPT_DAYS})
      ORDER BY at LIMIT ${max})`)
}
