import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const units = z.string().transform(BigInt)
const worthRow = z.object({
  at: z.string(),
  worth: units.nullable(),
  vault_worth: units,
  unbooked: units.nullable(),
  positions_worth: units.nullable(),
  leg_worth: units.nullable(),
  source: z.enum(['keeper', 'poller']),
  block_number: z.number(),
  withheld_reason: z.string().nullable(),
})
/** Worth of a mandate at a time, in USDC base units; null if it was withheld, with the reason. */
export type WorthRow = z.output<typeof worthRow>

const columns = sql.fragment`at, worth, vault_worth, unbooked, positions_worth, leg_worth, source, block_number, withheld_reason`

/**
 * Locks the marks against the deletion of replaced marks, so that no mark is stored between its read and its
 * commit. Must be called before marks are stored.
 */
export async function lockMarks(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock_shared(hashtextextended('mandates.worth', 0))`)
}

/**
 * Stores a mark. Returns false if a mark of that time exists, or if its block was replaced after the measurement. The marks must
 * be locked.
 */
export async function insertWorth(tx: Tx, mandateId: number, row: WorthRow): Promise<boolean> {
  const text = (amount: bigint | null) => (amount === null ? null : String(amount))
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO worth (mandate_id, at, worth, vault_worth, unbooked, positions_worth, leg_worth, source, block_number, withheld_reason)
    SELECT ${mandateId}, ${row.at}, ${text(row.worth)}, ${text(row.vault_worth)}, ${text(row.unbooked)}, ${text(row.positions_worth)},
      ${text(row.leg_worth)}, ${row.source}, ${row.block_number}, ${row.withheld_reason}
    WHERE NOT EXISTS (
      SELECT FROM vault v JOIN reorganisation r ON r.chain_id = v.chain_id
      WHERE v.mandate_id = ${mandateId} AND r.ancestor_number < ${row.block_number} AND r.noticed_at >= ${row.at})
    ON CONFLICT (mandate_id, at) DO NOTHING`)
  return rowCount > 0
}

/**
 * Deletes the marks of a chain that were measured before a time in blocks after `ancestor`, also those that arrive later
 * within a day, which is longer than a mark needs to arrive.
 */
export async function dropMarksAfter(tx: Tx, chainId: number, ancestor: number, noticedAt: string): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('mandates.worth', 0))`)
  await tx.query(sql.unsafe`
    DELETE FROM reorganisation WHERE noticed_at < ${noticedAt}::timestamptz - interval '1 day'`)
  await tx.query(sql.unsafe`
    INSERT INTO reorganisation (chain_id, ancestor_number, noticed_at) VALUES (${chainId}, ${ancestor}, ${noticedAt})
    ON CONFLICT DO NOTHING`)
  await tx.query(sql.unsafe`
    DELETE FROM worth USING vault
    WHERE vault.mandate_id = worth.mandate_id AND chain_id = ${chainId} AND block_number > ${ancestor} AND at <= ${noticedAt}`)
}

const ROWS_MAX = 5_000

/** Returns the newest 5,000 marks since a time, oldest first. */
export function worthSince(db: Db, mandateId: number, since: Date): Promise<readonly WorthRow[]> {
  return db.any(sql.type(worthRow)`
    SELECT * FROM (
      SELECT ${columns} FROM worth WHERE mandate_id = ${mandateId} AND at >= ${since.toISOString()}
      ORDER BY at DESC LIMIT ${ROWS_MAX}) newest
    ORDER BY at`)
}

/** Returns the last mark of each UTC day, oldest first. */
export function closingWorths(db: Db, mandateId: number): Promise<readonly WorthRow[]> {
  return db.any(sql.type(worthRow)`
    SELECT * FROM (
      SELECT DISTINCT ON (date_trunc('day', at, 'UTC')) ${columns} FROM worth WHERE mandate_id = ${mandateId}
      ORDER BY date_trunc('day', at, 'UTC') DESC, at DESC LIMIT ${ROWS_MAX}) days
    ORDER BY at`)
}

const knownWorth = z.object({ worth: units, unbooked: units, leg_worth: units, block_number: z.number() })
/** A known worth with its block; an unknown `unbooked`, and the worth of a leg that does not exist, count as zero. */
export type KnownWorth = z.output<typeof knownWorth>

/** Returns the newest known worth before a time. */
export function worthBefore(db: Db, mandateId: number, before: Date): Promise<KnownWorth | null> {
  return db.maybeOne(sql.type(knownWorth)`
    SELECT worth, coalesce(unbooked, 0) AS unbooked, coalesce(leg_worth, 0) AS leg_worth, block_number FROM worth
    WHERE mandate_id = ${mandateId} AND worth IS NOT NULL AND at < ${before.toISOString()}
    ORDER BY at DESC LIMIT 1`)
}

/** Deletes marks older than a time, except the last of each UTC day. */
export async function forgetWorth(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM worth WHERE (mandate_id, at) IN (
      SELECT w.mandate_id, w.at FROM worth w WHERE w.at < ${before.toISOString()} AND EXISTS (
        SELECT 1 FROM worth later WHERE later.mandate_id = w.mandate_id AND later.at > w.at
          AND later.at < date_trunc('day', w.at, 'UTC') + interval '1 day')
      ORDER BY w.at LIMIT ${max})`)
  return rowCount
}

/** Returns the newest known worth since a time; null without one. */
export async function worthSinceOf(db: Db, mandateId: number, since: Date): Promise<bigint | null> {
  const row = await db.maybeOne(sql.type(z.object({ worth: units }))`
    SELECT worth FROM worth WHERE mandate_id = ${mandateId} AND worth IS NOT NULL AND at >= ${since.toISOString()}
    ORDER BY at DESC LIMIT 1`)
  return row?.worth ?? null
}
