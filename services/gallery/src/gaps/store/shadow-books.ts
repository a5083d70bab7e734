import { instant, sql, table, typed, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const row = z
  .object({
    listing_id: z.string(),
    vault_id: z.string(),
    start_usdc: units,
    equity_usdc: units,
    fills: z.number(),
    opened_at: z.string(),
    marked_at: z.string(),
    series: z.array(z.object({ at: z.string(), equity_usdc: units })),
  })
  .transform((book) => ({
    listingId: book.listing_id,
    vaultId: book.vault_id,
    startUsdc: book.start_usdc,
    equityUsdc: book.equity_usdc,
    fills: book.fills,
    openedAt: book.opened_at,
    markedAt: book.marked_at,
    /** The last mark of each UTC day, oldest first, at most 400. */
    series: book.series.map(({ at, equity_usdc }) => ({ at: new Date(at).toISOString(), equityUsdc: equity_usdc })),
  }))
/** What 1,000 USDC that follow a listing would have become. Amounts are base units. */
export type ShadowBook = z.output<typeof row>

/** Returns the shadow books of an agent, the house runner, by listing; empty for any other agent. */
export function shadowBooks(db: Db, agentId: number): Promise<readonly ShadowBook[]> {
  return db.any(sql.type(row)`
    SELECT listing_id, vault_id, start_usdc::text, equity_usdc::text, fills, opened_at, marked_at,
      coalesce((SELECT jsonb_agg(day ORDER BY day.at) FROM (
        SELECT DISTINCT ON (date_trunc('day', at, 'UTC')) at, equity_usdc::text AS equity_usdc FROM shadow_mark
        WHERE shadow_mark.listing_id = shadow_book.listing_id
        ORDER BY date_trunc('day', at, 'UTC') DESC, at DESC LIMIT 400) AS day), '[]') AS series
    FROM shadow_book WHERE agent_id = ${agentId} ORDER BY listing_id LIMIT 1000`)
}

const positions = z.record(z.string(), z.string())
const stateRow = z
  .object({
    listing_id: z.string(),
    cash_usdc: units,
    positions,
    scored_seq: z.number(),
    marked_at: z.string().transform((text) => new Date(text)),
  })
  .transform((book) => ({
    listingId: book.listing_id,
    cash: book.cash_usdc,
    positions: book.positions,
    /** Signals up to it are scored. */
    scoredSeq: book.scored_seq,
    markedAt: book.marked_at,
  }))
/** A shadow book as it trades. */
export type ShadowRow = z.output<typeof stateRow>

const STATE = sql.fragment`listing_id, cash_usdc::text, positions, scored_seq, marked_at`

/** Opens the shadow book of a listing if it has none, with its signals up to `scoredSeq` behind it. */
export async function openShadowBook(
  db: Db,
  book: {
    readonly listingId: string
    readonly vaultId: string
    readonly agentId: number
    readonly start: bigint
    readonly scoredSeq: number
  },
  now: Date,
): Promise<void> {
  const [start, at] = [String(book.start), now.toISOString()]
  await db.query(sql.unsafe`
    INSERT INTO shadow_book (listing_id, vault_id, agent_id, start_usdc, cash_usdc, positions, equity_usdc, scored_seq, fills,
      funding_usdc, opened_at, marked_at)
    VALUES (${book.listingId}, ${book.vaultId}, ${book.agentId}, ${start}, ${start}, '{}', ${start}, ${book.scoredSeq}, 0, 0,
      ${at}, ${at})
    ON CONFLICT (listing_id) DO NOTHING`)
}

/** Returns the shadow book of a listing; null without one. */
export function shadowState(db: Db, listingId: string): Promise<ShadowRow | null> {
  return db.maybeOne(sql.type(stateRow)`SELECT ${STATE} FROM shadow_book WHERE listing_id = ${listingId}`)
}

/** Returns shadow books that were not marked since an instant, in the order of their listings. */
export function shadowBooksToMark(db: Db, before: Date, limit: number): Promise<readonly ShadowRow[]> {
  return db.any(sql.type(stateRow)`
    SELECT ${STATE} FROM shadow_book WHERE marked_at <= ${before.toISOString()} ORDER BY listing_id LIMIT ${limit}`)
}

const fills = table('shadow_fill', {
  listingId: z.string(),
  seq: typed('int8', z.number()),
  market: z.string(),
  side: z.enum(['buy', 'sell']),
  size: typed('numeric', z.string()),
  price: typed('numeric', z.string()),
  feeUsdc: typed('int8', units),
  signalPrice: typed('numeric', z.string()),
  at: typed('timestamptz', instant),
})

/** A shadow book after some signals or a mark. */
export interface ShadowChange {
  readonly cash: bigint
  readonly positions: Readonly<Record<string, string>>
  readonly equity: bigint
  readonly scoredSeq: number
  readonly fills: readonly (Omit<RowOf<typeof fills>, 'listingId' | 'feeUsdc' | 'at'> & { readonly fee: bigint })[]
  readonly funding: bigint
  /** True for a mark, which becomes a point of the series. */
  readonly marks: boolean
}

/**
 * Stores a change of a shadow book as it was read. False if another process changed it meanwhile; then nothing is stored, so
 * that no signal is scored twice and no hour is funded twice.
 */
export async function changeShadowBook(tx: Tx, was: ShadowRow, to: ShadowChange, now: Date): Promise<boolean> {
  const at = now.toISOString()
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE shadow_book SET cash_usdc = ${String(to.cash)}, positions = ${JSON.stringify(to.positions)}::jsonb,
      equity_usdc = ${String(to.equity)}, scored_seq = ${to.scoredSeq}, fills = fills + ${to.fills.length},
      funding_usdc = funding_usdc + ${String(to.funding)}::bigint,
      marked_at = CASE WHEN ${to.marks} THEN ${at}::timestamptz ELSE marked_at END
    WHERE listing_id = ${was.listingId} AND scored_seq = ${was.scoredSeq} AND marked_at = ${was.markedAt.toISOString()}`)
  if (rowCount === 0) return false
  const rows = to.fills.map((fill) => ({ ...fill, listingId: was.listingId, feeUsdc: fill.fee, at: now }))
  await tx.query(sql.unsafe`${fills.insertAll(rows)}`)
  if (to.marks)
    await tx.query(sql.unsafe`
      INSERT INTO shadow_mark (listing_id, at, equity_usdc) VALUES (${was.listingId}, ${at}, ${String(to.equity)})
      ON CONFLICT DO NOTHING`)
  return true
}

const tradedFills = fills.pick('seq', 'side', 'price', 'at')
/** A fill of a shadow book. */
export type StoredShadowFill = RowOf<typeof tradedFills>

/** Returns the fills of a shadow book after a signal, at most `limit`. */
export function shadowFills(
  db: Db,
  listingId: string,
  after: number,
  limit: number,
): Promise<readonly StoredShadowFill[]> {
  return db.any(sql.type(tradedFills.row)`
    SELECT ${tradedFills.list} FROM shadow_fill WHERE listing_id = ${listingId} AND seq > ${after}
    ORDER BY seq LIMIT ${limit}`)
}
