import { json, sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { ChangedFacts } from '#mandate/facts-changed.ts'

const markedPositions = z.array(z.object({ asset: z.string(), units: z.string(), worth_usdc: z.string() })).nullable()

const marks = table('worth', {
  at: z.string(),
  worth: units.nullable(),
  vault_worth: units,
  unbooked: units.nullable(),
  positions_worth: units.nullable(),
  leg_worth: units.nullable(),
  source: z.enum(['keeper', 'poller']),
  block_number: z.number(),
  drawn: units.nullable(),
  withheld_reason: z.string().nullable(),
  positions: json(markedPositions),
})
/** Worth of a mandate at a time, in USDC base units; null if it was withheld, with the reason. */
export type WorthRow = RowOf<typeof marks>

const storedMarks = table('worth', { mandate_id: z.number(), ...marks.columns })

/**
 * Locks the marks against the deletion of replaced marks, so that no mark is stored between its read and its
 * commit. Must be called before marks are stored.
 */
export async function lockMarks(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock_shared(hashtextextended('mandates.worth', 0))`)
}

const storedRow = z.object({ from_day: z.string().nullable() })

/**
 * Stores a mark. Returns null if a mark of that time exists, or if its block was replaced after the measurement. Otherwise
 * `from_day` is the UTC day of the mark before, if the closing of that day is final now, or the mark's own, if it comes late;
 * null while no day is final by it. The marks must be locked.
 */
export function insertWorth(tx: Tx, mandateId: number, row: WorthRow): Promise<z.output<typeof storedRow> | null> {
  return tx.maybeOne(sql.type(storedRow)`
    INSERT INTO worth (${storedMarks.names}) SELECT ${storedMarks.values({ ...row, mandate_id: mandateId })}
    WHERE NOT EXISTS (
      SELECT FROM vault v JOIN reorganisation r ON r.chain_id = v.chain_id
      WHERE v.mandate_id = ${mandateId} AND r.ancestor_number < ${row.block_number} AND r.noticed_at >= ${row.at})
    ON CONFLICT (mandate_id, at) DO NOTHING
    RETURNING (
      SELECT (CASE WHEN later.at IS NULL THEN before.at ELSE worth.at END AT TIME ZONE 'UTC')::date
      FROM (SELECT max(at) AS at FROM worth AS w WHERE w.mandate_id = ${mandateId} AND w.at < ${row.at}) AS before,
        (SELECT max(at) AS at FROM worth AS w WHERE w.mandate_id = ${mandateId} AND w.at > ${row.at}) AS later
      WHERE later.at IS NOT NULL OR (before.at AT TIME ZONE 'UTC')::date < (worth.at AT TIME ZONE 'UTC')::date) AS from_day`)
}

const changedRow = z.object({ public_id: z.string(), agent_id: z.number(), from_day: z.string() })

/**
 * Deletes the marks of a chain that were measured before a time in blocks after `ancestor`, also those that arrive later
 * within a day, which is longer than a mark needs to arrive. Returns of which mandates marks were deleted, with the day of
 * the first.
 */
export async function dropMarksAfter(
  tx: Tx,
  chainId: number,
  ancestor: number,
  noticedAt: string,
): Promise<readonly ChangedFacts[]> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('mandates.worth', 0))`)
  await tx.query(sql.unsafe`
    DELETE FROM reorganisation WHERE noticed_at < ${noticedAt}::timestamptz - interval '1 day'`)
  await tx.query(sql.unsafe`
    INSERT INTO reorganisation (chain_id, ancestor_number, noticed_at) VALUES (${chainId}, ${ancestor}, ${noticedAt})
    ON CONFLICT DO NOTHING`)
  return tx.any(sql.type(changedRow)`
    WITH deleted AS (
      DELETE FROM worth USING vault
      WHERE vault.mandate_id = worth.mandate_id AND chain_id = ${chainId} AND block_number > ${ancestor} AND at <= ${noticedAt}
      RETURNING worth.mandate_id, worth.at)
    SELECT public_id, agent_id, (min(at) AT TIME ZONE 'UTC')::date AS from_day FROM deleted JOIN mandate ON id = mandate_id
    WHERE agent_id IS NOT NULL GROUP BY id ORDER BY id`)
}

const ROWS_MAX = 5_000

/** Returns the newest 5,000 marks since a time, oldest first. */
export function worthSince(db: Db, mandateId: number, since: Date): Promise<readonly WorthRow[]> {
  return db.any(sql.type(marks.row)`
    SELECT * FROM (
      SELECT ${marks.list} FROM worth WHERE mandate_id = ${mandateId} AND at >= ${since.toISOString()}
      ORDER BY at DESC LIMIT ${ROWS_MAX}) newest
    ORDER BY at`)
}

/** Returns the last mark of each UTC day, oldest first. */
export function closingWorths(db: Db, mandateId: number): Promise<readonly WorthRow[]> {
  return db.any(sql.type(marks.row)`
    SELECT * FROM (
      SELECT DISTINCT ON (date_trunc('day', at, 'UTC')) ${marks.list} FROM worth WHERE mandate_id = ${mandateId}
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

/**
 * Deletes marks older than a time. What the Hall is computed from stays: of each UTC day the last mark and the last known
 * worth, and each known worth next to a block in which money came or went. Of two neighbours of such a block one is never
 * deleted for the other, because each has the block on one side.
 */
export async function forgetWorth(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM worth WHERE (mandate_id, at) IN (
      SELECT w.mandate_id, w.at FROM worth w WHERE w.at < ${before.toISOString()} AND EXISTS (
        SELECT 1 FROM worth later WHERE later.mandate_id = w.mandate_id AND later.at > w.at
          AND later.at < date_trunc('day', w.at, 'UTC') + interval '1 day'
          AND (w.worth IS NULL OR later.worth IS NOT NULL))
        AND (w.worth IS NULL OR NOT EXISTS (
          SELECT 1 FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address AND f.canonical
            AND f.name IN ('Deposited', 'DirectDeposit', 'Withdrawn', 'Settled')
          WHERE v.mandate_id = w.mandate_id
            AND f.block_number > coalesce((
              SELECT block_number FROM worth p WHERE p.mandate_id = w.mandate_id AND p.worth IS NOT NULL AND p.at < w.at
              ORDER BY p.at DESC LIMIT 1), -1)
            AND f.block_number <= (
              SELECT block_number FROM worth n WHERE n.mandate_id = w.mandate_id AND n.worth IS NOT NULL AND n.at > w.at
              ORDER BY n.at LIMIT 1)))
      ORDER BY w.at LIMIT ${max})`)
  return rowCount
}

const amountRow = z.object({ worth: units })

/** Returns the newest known worth since a time; null without one. */
export async function worthSinceOf(db: Db, mandateId: number, since: Date): Promise<bigint | null> {
  const row = await db.maybeOne(sql.type(amountRow)`
    SELECT worth FROM worth WHERE mandate_id = ${mandateId} AND worth IS NOT NULL AND at >= ${since.toISOString()}
    ORDER BY at DESC LIMIT 1`)
  return row?.worth ?? null
}
