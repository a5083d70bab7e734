import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** An entry of the venue's ledger with what it changes. */
export interface NewEntry {
  readonly at: Date
  readonly hash: string
  readonly digest: string
  readonly copy: number
  readonly type: string
  readonly effect: string
  readonly delta: object
  readonly ours: boolean
  readonly knownType: boolean
}

const cursors = table('ledger_cursor', {
  base: z.string(),
  readTo: instant,
  readAt: instant,
  cash: z.string().nullable(),
  cashAt: instant.nullable(),
  unexplainedSince: instant.nullable(),
})
const cursorRow = cursors.row.extend({ hasPaid: z.boolean(), paid: z.string() })
/**
 * How far a ledger was read. `base` is the foreign money at the start; `cash` what was explained last of the account, at
 * `cashAt` of the venue's clock; `unexplainedSince` when its cash ceased to be explained, null while it is. `hasPaid` is true if
 * payments from that instant on are stored, which `cash` may lack, and `paid` is the sum of those after it, decimal text.
 */
export type LedgerCursor = z.output<typeof cursorRow>
const begun = table('ledger_cursor', { publicId: z.string(), ...cursors.columns })
const begunAgain = begun.onConflict(['publicId'])

/** Returns how far the ledger of a leg was read; null before its first bind. */
export function ledgerCursor(db: Db, publicId: string): Promise<LedgerCursor | null> {
  return db.maybeOne(sql.type(cursorRow)`
    SELECT ${cursors.list}, ${hasPaid} AS "hasPaid",
      coalesce((SELECT sum(effect) FROM ledger_entry entry
        WHERE entry.public_id = ledger_cursor.public_id AND entry.at > cash_at), 0)::text AS paid
    FROM ledger_cursor WHERE public_id = ${publicId}`)
}

/** Whether a payment is stored that the explained cash of a cursor may lack. */
const hasPaid = sql.fragment`EXISTS (SELECT FROM ledger_entry entry
  WHERE entry.public_id = ledger_cursor.public_id AND entry.at >= cash_at)`

/** Notes cash of an account that is explained, unless a newer one is noted. */
export async function noteCash(
  db: Db,
  publicId: string,
  { cash, at }: { readonly cash: string; readonly at: Date },
): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE ledger_cursor SET cash = ${cash}, cash_at = ${at.toISOString()}, unexplained_since = NULL,
      unexplained_told_at = NULL
    WHERE public_id = ${publicId} AND (cash_at IS NULL OR cash_at < ${at.toISOString()})`)
}

/** Notes since when the cash of an account is not explained; an earlier time stays. Null: it is explained again. */
export async function noteUnexplained(db: Db, publicId: string, since: Date | null): Promise<void> {
  const at = since?.toISOString() ?? null
  await db.query(sql.unsafe`
    UPDATE ledger_cursor SET unexplained_since = CASE WHEN ${at}::timestamptz IS NULL THEN NULL
        ELSE coalesce(unexplained_since, ${at}::timestamptz) END,
      unexplained_told_at = CASE WHEN ${at}::timestamptz IS NULL THEN NULL ELSE unexplained_told_at END
    WHERE public_id = ${publicId}`)
}

const sinceRow = z
  .object({ public_id: z.string(), unexplained_since: instant })
  .transform(({ public_id, unexplained_since }) => [public_id, unexplained_since] as const)

/** Returns since when the cash of legs is not explained; legs whose cash is are left out. */
export async function unexplainedOf(db: Db, publicIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.any(sql.type(sinceRow)`
    SELECT public_id, unexplained_since FROM ledger_cursor
    WHERE unexplained_since IS NOT NULL AND public_id = ANY(${sql.array([...publicIds], 'text')})`)
  return new Map(rows)
}

const toldRow = z.object({ public_id: z.string() })

/** Notes that operations are told of cash that is unexplained since before an instant; returns the legs told now. */
export function noteUnexplainedTold(db: Db, before: Date, now: Date): Promise<readonly string[]> {
  return db.anyFirst(sql.type(toldRow)`
    UPDATE ledger_cursor SET unexplained_told_at = ${now.toISOString()}
    WHERE unexplained_since <= ${before.toISOString()} AND unexplained_told_at IS NULL RETURNING public_id`)
}

/** Begins the ledger of a leg that is bound: whatever the account holds now is foreign. Forgets the former entries. */
export async function beginLedger(
  tx: Tx,
  publicId: string,
  { base, cash, at }: { readonly base: string; readonly cash: string; readonly at: Date },
): Promise<void> {
  await tx.query(sql.unsafe`DELETE FROM ledger_entry WHERE public_id = ${publicId}`)
  const cursor = begun.insert({ publicId, base, readTo: at, readAt: at, cash, cashAt: at, unexplainedSince: null })
  await tx.query(sql.unsafe`${cursor} ${begunAgain}, unexplained_told_at = NULL`)
}

const storedRow = z.object({ type: z.string(), known_type: z.boolean() })
/** An entry that was stored. */
export type StoredEntry = z.output<typeof storedRow>

/** Time within which one hash stands for one entry: the venue's clock may be wrong, and some types have a hash of zeros. */
const SAME_WITHIN = sql.fragment`interval '1 day'`

/** Stores entries that are not stored yet, moves the cursor forward, and returns those that were new. */
export async function storeEntries(
  tx: Tx,
  publicId: string,
  entries: readonly NewEntry[],
  cursor: { readonly readTo: Date; readonly readAt: Date },
): Promise<readonly StoredEntry[]> {
  const json = JSON.stringify(entries.map((one) => ({ ...one, at: one.at.toISOString(), known_type: one.knownType })))
  // Entries of the cursor's instant are read again each time, so most of them are stored already.
  const stored = await tx.any(sql.type(storedRow)`
    INSERT INTO ledger_entry (public_id, at, hash, digest, copy, type, effect, delta, ours, known_type)
    SELECT ${publicId}, one.* FROM jsonb_to_recordset(${json}::jsonb)
      AS one (at timestamptz, hash text, digest text, copy int, type text, effect numeric, delta jsonb, ours bool, known_type bool)
    WHERE one.hash ~ '^0x0*$' OR NOT EXISTS (
      SELECT FROM ledger_entry known WHERE known.public_id = ${publicId}
        AND known.at BETWEEN one.at - ${SAME_WITHIN} AND one.at + ${SAME_WITHIN}
        AND known.hash = one.hash AND known.digest = one.digest AND known.copy = one.copy)
    ORDER BY one.at, one.hash, one.digest, one.copy
    ON CONFLICT DO NOTHING RETURNING type, known_type`)
  await tx.query(sql.unsafe`
    UPDATE ledger_cursor SET read_to = greatest(read_to, ${cursor.readTo.toISOString()}::timestamptz),
      read_at = greatest(read_at, ${cursor.readAt.toISOString()}::timestamptz)
    WHERE public_id = ${publicId}`)
  return stored
}

const firstRow = z.object({ first: z.boolean() })

/** Counts a row of the venue's history that cannot be judged; returns whether it is the first of its type on the UTC day. */
export async function countUnknownRow(db: Db, type: string, now: Date): Promise<boolean> {
  return db.oneFirst(sql.type(firstRow)`
    INSERT INTO unknown_row (day, type, rows) VALUES (${now.toISOString().slice(0, 10)}, ${type.slice(0, 100)}, 1)
    ON CONFLICT (day, type) DO UPDATE SET rows = unknown_row.rows + 1 RETURNING rows = 1 AS first`)
}

const foreignRow = z
  .object({ public_id: z.string(), foreign_usdc: z.string() })
  .transform(({ public_id, foreign_usdc }) => [public_id, foreign_usdc] as const)

export const recentForeignRow = z
  .object({
    foreign_usdc: z.string(),
    cash: z.string().nullable(),
    recent: z.array(z.object({ at: instant, effect: z.string() })),
  })
  .transform(({ foreign_usdc, cash, recent }) => ({ foreign: foreign_usdc, cash, recent }))
/**
 * Foreign money of a leg now, decimal text, with its payments of the last minutes, by which it can be told as of a reading
 * of these minutes; `cash` as in the cursor, null if it may lack payments that are stored.
 */
export type RecentForeign = z.output<typeof recentForeignRow>

/** The statement of foreign money of a leg with its payments since an instant; without a row before the first bind. */
export const recentForeign = (publicId: string, since: Date) => sql.fragment`
  SELECT (base + coalesce((SELECT sum(effect) FROM ledger_entry entry
      WHERE entry.public_id = ledger_cursor.public_id AND NOT ours), 0))::text AS foreign_usdc,
    CASE WHEN NOT ${hasPaid} THEN cash::text END AS cash,
    coalesce((SELECT json_agg(json_build_object('at', at, 'effect', effect::text)) FROM ledger_entry entry
      WHERE entry.public_id = ledger_cursor.public_id AND NOT ours AND at > ${since.toISOString()}), '[]') AS recent
  FROM ledger_cursor WHERE public_id = ${publicId}`

/**
 * Returns foreign money by leg as it was at an instant of each, decimal text: that of the start and every payment until then
 * that is not ours. So it agrees with a reading of that time.
 */
export async function foreignAt(db: Db, at: ReadonlyMap<string, Date>): Promise<ReadonlyMap<string, string>> {
  const instants = [...at].map(([publicId, until]) => [publicId, until.toISOString()])
  const rows = await db.any(sql.type(foreignRow)`
    SELECT public_id, (base + coalesce((SELECT sum(effect) FROM ledger_entry entry
      WHERE entry.public_id = ledger_cursor.public_id AND NOT ours AND entry.at <= asked.until), 0))::text AS foreign_usdc
    FROM ledger_cursor JOIN ${sql.unnest(instants, ['text', 'timestamptz'])} AS asked (public_id, until) USING (public_id)`)
  return new Map(rows)
}

const listed = table('ledger_entry', {
  at: instant,
  hash: z.string(),
  type: z.string(),
  effect: z.string(),
  delta: z.looseObject({ type: z.string() }),
  ours: z.boolean(),
})
/** A stored payment. */
export type LedgerEntry = RowOf<typeof listed>

/** Lists the payments of a leg since an instant, oldest first, at most 2,000. */
export function ledgerEntries(db: Db, publicId: string, since: Date): Promise<readonly LedgerEntry[]> {
  return db.any(sql.type(listed.row)`
    SELECT ${listed.list} FROM ledger_entry
    WHERE public_id = ${publicId} AND at >= ${since.toISOString()} ORDER BY at, hash, copy LIMIT 2000`)
}

const entryKeys = table('ledger_entry', {
  publicId: z.string(),
  at: instant,
  hash: z.string(),
  digest: z.string(),
  copy: z.number(),
})
const paymentTo = entryKeys.row.extend({ usdc: z.string() })
/** A payment of an owner to an address, of the venue's decimal text. */
export type PaymentTo = z.output<typeof paymentTo>

/** Returns payments of owners to an address that are no transfers of ours and were not divided yet, oldest first. */
export function paymentsTo(db: Db, payee: string, limit: number): Promise<readonly PaymentTo[]> {
  return db.any(sql.type(paymentTo)`
    SELECT ${entryKeys.list}, delta->>'usdc' AS usdc FROM ledger_entry entry
    WHERE NOT ours AND type = 'internalTransfer' AND lower(delta->>'destination') = ${payee.toLowerCase()}
      AND lower(delta->>'user') <> ${payee.toLowerCase()}
      AND NOT EXISTS (SELECT 1 FROM pool_payment taken WHERE taken.venue_hash = entry.hash)
    ORDER BY at, hash, copy LIMIT ${limit}`)
}

const effectRow = z.object({ effect: z.string() })

/** Changes what a payment counts as foreign; decimal text in, micro-dollars out. */
export async function setEffect(
  tx: Tx,
  { publicId, at, hash, digest, copy }: PaymentTo,
  change: (effect: string) => bigint,
): Promise<void> {
  const one = sql.fragment`public_id = ${publicId} AND at = ${at.toISOString()} AND hash = ${hash} AND digest = ${digest}
    AND copy = ${copy}`
  const effect = await tx.oneFirst(sql.type(effectRow)`
    SELECT effect::text AS effect FROM ledger_entry WHERE ${one} FOR UPDATE`)
  await tx.query(sql.unsafe`
    UPDATE ledger_entry SET effect = ${String(change(effect))}::numeric / 1000000 WHERE ${one}`)
}
