import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { decimalColumn } from './columns.ts'

const oweRow = z.object({ coin: z.string(), since: instant, books: z.number() })
/** A market in which funding of full hours after `since` is owed, and the number of positions that owe. */
export type Owing = z.output<typeof oweRow>

/** Lists the markets in which positions owe funding up to a full hour, those with most positions first. */
export function owingCoins(db: Db, hour: Date, max: number): Promise<readonly Owing[]> {
  return db.any(sql.type(oweRow)`
    SELECT coin, min(funded_to) AS since, count(*)::int AS books FROM paper_position
    WHERE (size <> 0 OR funded_to < changed_hour) AND funded_to < ${hour.toISOString()}
    GROUP BY coin ORDER BY books DESC, coin LIMIT ${max}`)
}

/** Stores the oracle price for each full hour of a market that has none yet, after `since` up to `hour`. */
export async function storeOracles(
  db: Db,
  read: readonly { readonly coin: string; readonly since: Date; readonly oracle: string; readonly at: Date }[],
  hour: Date,
): Promise<void> {
  const column = (of: (one: (typeof read)[number]) => string) => sql.array(read.map(of), 'text')
  await db.query(sql.unsafe`
    INSERT INTO paper_hour (coin, hour, oracle_price, oracle_at)
    SELECT one.coin, due, one.oracle::numeric, one.at::timestamptz
    FROM unnest(${column(({ coin }) => coin)}, ${column(({ since }) => since.toISOString())},
        ${column(({ oracle }) => oracle)}, ${column(({ at }) => at.toISOString())}) AS one (coin, since, oracle, at),
      generate_series(one.since::timestamptz + interval '1 hour', ${hour.toISOString()}::timestamptz, interval '1 hour') AS due
    ORDER BY one.coin, due
    ON CONFLICT (coin, hour) DO NOTHING`)
}

const hourRow = z.object({ coin: z.string(), first: instant })

/**
 * Lists the first hour of each market up to `hour` whose oracle price or rate is not known, of those that positions owe
 * funding for.
 */
export function unknownHours(
  db: Db,
  coins: readonly Owing[],
  hour: Date,
): Promise<readonly { readonly coin: string; readonly first: Date }[]> {
  const column = (of: (one: Owing) => string) => sql.array(coins.map(of), 'text')
  return db.any(sql.type(hourRow)`
    SELECT one.coin, min(due) AS first
    FROM unnest(${column(({ coin }) => coin)}, ${column(({ since }) => since.toISOString())}) AS one (coin, since),
      generate_series(one.since::timestamptz + interval '1 hour', ${hour.toISOString()}::timestamptz, interval '1 hour') AS due
    WHERE NOT EXISTS (SELECT FROM paper_hour h WHERE h.coin = one.coin AND h.hour = due AND h.known)
    GROUP BY one.coin`)
}

/**
 * Stores the rates that the venue published for hours of a market. Hours from `first` up to `settledTo` for which it
 * published none count as known without a rate.
 */
export async function storeRates(
  db: Db,
  coin: string,
  rates: readonly { readonly hour: Date; readonly rate: string }[],
  { first, settledTo }: { readonly first: Date; readonly settledTo: Date },
): Promise<void> {
  const hours = sql.array(
    rates.map(({ hour }) => hour.toISOString()),
    'text',
  )
  const values = sql.array(
    rates.map(({ rate }) => rate),
    'text',
  )
  // A rate that is stored is never replaced: books may have been funded with it.
  await db.query(sql.unsafe`
    UPDATE paper_hour h SET known = true, rate = given.rate
    FROM (
      SELECT own.hour, one.rate::numeric AS rate FROM paper_hour own
      LEFT JOIN unnest(${hours}, ${values}) AS one (hour, rate) ON one.hour::timestamptz = own.hour
      WHERE own.coin = ${coin} AND own.hour >= ${first.toISOString()}
        AND (one.rate IS NOT NULL OR own.hour <= ${settledTo.toISOString()})
    ) AS given
    WHERE h.coin = ${coin} AND h.hour = given.hour AND NOT h.known`)
}

/** The hour up to which every rate of a market is known that positions owe funding for. */
export interface KnownTo {
  readonly coin: string
  readonly upTo: Date
}

/** Returns for each market the hour before the first one whose rate is not known, at most `hour`. */
export async function knownTo(db: Db, coins: readonly Owing[], hour: Date): Promise<readonly KnownTo[]> {
  const unknown = new Map((await unknownHours(db, coins, hour)).map(({ coin, first }) => [coin, first]))
  return coins.flatMap(({ coin, since }) => {
    const first = unknown.get(coin)
    const upTo = first === undefined ? hour : new Date(first.getTime() - 3_600_000)
    return upTo > since ? { coin, upTo } : []
  })
}

const idRow = z.object({ id: z.number() })

/** Locks the next books with a position that owes funding, in the order in which every job locks them. */
export async function lockOwingBooks(
  tx: Tx,
  known: readonly KnownTo[],
  after: number,
  max: number,
): Promise<readonly number[]> {
  const rows = await tx.any(sql.type(idRow)`
    SELECT id FROM paper_book WHERE id > ${after} AND id IN (
      SELECT p.book_id FROM paper_position p
      JOIN unnest(${coinsOf(known)}, ${hoursOf(known)}) AS k (coin, up_to)
        ON k.coin = p.coin AND p.funded_to < k.up_to::timestamptz
      WHERE p.size <> 0 OR p.funded_to < p.changed_hour)
    ORDER BY id LIMIT ${max} FOR UPDATE`)
  return rows.map(({ id }) => id)
}

const coinsOf = (known: readonly KnownTo[]) =>
  sql.array(
    known.map(({ coin }) => coin),
    'text',
  )
const hoursOf = (known: readonly KnownTo[]) =>
  sql.array(
    known.map(({ upTo }) => upTo.toISOString()),
    'text',
  )

const paidRow = z.object({ paid: z.number() })

/**
 * Pays the funding of books whose locks are held, up to the hours that are known: one row for each book, market and hour
 * in which a position was held at the full hour. Returns the number of rows.
 */
export async function payLocked(tx: Tx, ids: readonly number[], known: readonly KnownTo[], now: Date): Promise<number> {
  const at = now.toISOString()
  // The size at the hour is the size now without the fills since; a fill at the full hour itself comes after it. The hours
  // of a position are paid together with funded_to, under the lock of the book, so that none is paid twice.
  const { paid } = await tx.one(sql.prepared('paper_funding_pay', paidRow)`
    WITH known AS (
      SELECT coin, up_to::timestamptz AS up_to FROM unnest(${coinsOf(known)}, ${hoursOf(known)}) AS given (coin, up_to)
    ), owing AS MATERIALIZED (
      SELECT p.book_id, p.coin, p.size, p.changed_at, p.funded_to, k.up_to
      FROM paper_position p JOIN known k ON k.coin = p.coin AND p.funded_to < k.up_to
      WHERE p.book_id = ANY(${sql.array([...ids], 'int8')}) AND (p.size <> 0 OR p.funded_to < p.changed_hour)
    ), hours AS (
      SELECT o.book_id, o.coin, h.hour, h.oracle_price, h.rate,
        o.size - CASE WHEN o.changed_at < h.hour THEN 0 ELSE (
          SELECT coalesce(sum(CASE f.side WHEN 'buy' THEN f.size ELSE -f.size END), 0) FROM paper_fill f
          WHERE f.book_id = o.book_id AND f.coin = o.coin AND f.filled_at >= h.hour) END AS size
      FROM owing o JOIN paper_hour h ON h.coin = o.coin AND h.hour > o.funded_to AND h.hour <= o.up_to
      WHERE h.rate IS NOT NULL
    ), dues AS (
      SELECT *, round(-size * oracle_price * rate, 6) AS usdc,
        row_number() OVER (PARTITION BY book_id ORDER BY hour, coin) AS place
      FROM hours WHERE size <> 0
    ), paid AS (
      INSERT INTO paper_funding (book_id, coin, hour, seq, size, oracle_price, rate, usdc, paid_at)
      SELECT d.book_id, d.coin, d.hour, b.seq + d.place, d.size, d.oracle_price, d.rate, d.usdc, ${at}::timestamptz
      FROM dues d JOIN paper_book b ON b.id = d.book_id
      RETURNING book_id, usdc
    ), booked AS (
      UPDATE paper_book b SET cash_usdc = b.cash_usdc + s.usdc, funding_usdc = b.funding_usdc + s.usdc, seq = b.seq + s.rows
      FROM (SELECT book_id, sum(usdc) AS usdc, count(*) AS rows FROM paid GROUP BY book_id) AS s
      WHERE b.id = s.book_id
    ), funded AS (
      UPDATE paper_position p SET funded_to = o.up_to FROM owing o WHERE p.book_id = o.book_id AND p.coin = o.coin
    )
    SELECT count(*)::int AS paid FROM paid`)
  return paid
}

const fundings = table('paper_funding', {
  bookId: z.number(),
  seq: z.number(),
  coin: z.string(),
  hour: instant,
  size: decimalColumn,
  oraclePrice: decimalColumn,
  rate: decimalColumn,
  usdc: decimalColumn,
  paidAt: instant,
})
/** Funding of a position in an hour. */
export type StoredFunding = RowOf<typeof fundings>

/** Lists the funding of a book before a row, newest first. */
export function listFunding(db: Db, bookId: number, before: number, max: number): Promise<readonly StoredFunding[]> {
  return db.any(sql.type(fundings.row)`
    SELECT ${fundings.list} FROM paper_funding
    WHERE book_id = ${bookId} AND seq < ${before} ORDER BY seq DESC LIMIT ${max}`)
}
