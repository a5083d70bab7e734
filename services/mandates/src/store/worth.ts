import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const units = z.string().transform(BigInt)
const worthRow = z.object({
  at: z.string(),
  worth: units.nullable(),
  vault_worth: units,
  positions_worth: units.nullable(),
  leg_worth: units.nullable(),
  source: z.enum(['keeper', 'poller']),
  block_number: z.number(),
  withheld_reason: z.string().nullable(),
})
/** Worth of a mandate at a time, in USDC base units; null worth was withheld, for the reason given. */
export type WorthRow = z.output<typeof worthRow>

const columns = sql.fragment`at, worth, vault_worth, positions_worth, leg_worth, source, block_number, withheld_reason`

/** Stores a mark; false when one of that time is there. */
export async function insertWorth(tx: Tx, mandateId: number, row: WorthRow): Promise<boolean> {
  const text = (amount: bigint | null) => (amount === null ? null : String(amount))
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO worth (mandate_id, at, worth, vault_worth, positions_worth, leg_worth, source, block_number, withheld_reason)
    VALUES (${mandateId}, ${row.at}, ${text(row.worth)}, ${text(row.vault_worth)}, ${text(row.positions_worth)},
      ${text(row.leg_worth)}, ${row.source}, ${row.block_number}, ${row.withheld_reason})
    ON CONFLICT (mandate_id, at) DO NOTHING`)
  return rowCount > 0
}

const ROWS_MAX = 5_000

/** Marks since a time, oldest first; the newest 5,000. */
export function worthSince(db: Db, mandateId: number, since: Date): Promise<readonly WorthRow[]> {
  return db.any(sql.type(worthRow)`
    SELECT * FROM (
      SELECT ${columns} FROM worth WHERE mandate_id = ${mandateId} AND at >= ${since.toISOString()}
      ORDER BY at DESC LIMIT ${ROWS_MAX}) newest
    ORDER BY at`)
}

/** The last mark of each UTC day, oldest first. */
export function closingWorths(db: Db, mandateId: number): Promise<readonly WorthRow[]> {
  return db.any(sql.type(worthRow)`
    SELECT * FROM (
      SELECT DISTINCT ON (date_trunc('day', at, 'UTC')) ${columns} FROM worth WHERE mandate_id = ${mandateId}
      ORDER BY date_trunc('day', at, 'UTC') DESC, at DESC LIMIT ${ROWS_MAX}) days
    ORDER BY at`)
}

/** The newest known worth before a time, with the block that it was read in. */
export function worthBefore(
  db: Db,
  mandateId: number,
  before: Date,
): Promise<{ readonly worth: bigint; readonly block_number: number } | null> {
  return db.maybeOne(sql.type(z.object({ worth: units, block_number: z.number() }))`
    SELECT worth, block_number FROM worth
    WHERE mandate_id = ${mandateId} AND worth IS NOT NULL AND at < ${before.toISOString()}
    ORDER BY at DESC LIMIT 1`)
}

/** Forgets marks older than a time, but for the last of each UTC day. */
export async function forgetWorth(tx: Tx, before: Date, max: number): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    DELETE FROM worth WHERE (mandate_id, at) IN (
      SELECT w.mandate_id, w.at FROM worth w WHERE w.at < ${before.toISOString()} AND EXISTS (
        SELECT 1 FROM worth later WHERE later.mandate_id = w.mandate_id AND later.at > w.at
          AND later.at < date_trunc('day', w.at, 'UTC') + interval '1 day')
      ORDER BY w.at LIMIT ${max})`)
  return rowCount
}
