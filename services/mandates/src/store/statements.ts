import { sql, type Db, type Pool } from '@svc/postgres'
import { z } from 'zod'
import type { IsoWeek } from '../domain/iso-week.ts'
import { vaultOfMandate } from './vaults.ts'
import { worthBefore } from './worth.ts'

const units = z.string().transform(BigInt)
const sumsRow = z.object({
  deposits: units,
  withdrawals: units,
  fees: units,
  trades: z.number(),
  spent: units,
  received: units,
  earlier: z.boolean(),
  moved_before: z.number().nullable(),
  moved_by_end: z.number().nullable(),
})
/**
 * What the vault logged in a week, in USDC base units. `earlier`: it had logged something before. `moved_*`: block of the
 * newest deposit or withdrawal before the week, and before its end; null while there was none.
 */
type WeekSums = z.output<typeof sumsRow>

/** Sums over the standing facts of a vault; each event is summed by the block that it is in. */
function sumsOfWeek(db: Db, chainId: number, vault: string, week: IsoWeek): Promise<WeekSums> {
  return db.one(sql.type(sumsRow)`
    SELECT coalesce(sum((args->>'amount')::numeric) FILTER (WHERE here AND name IN ('Deposited', 'DirectDeposit')), 0) AS deposits,
      coalesce(sum((args->>'amount')::numeric) FILTER (WHERE here AND name = 'Withdrawn'), 0) AS withdrawals,
      coalesce(sum((args->>'feeAccrued')::numeric) FILTER (WHERE here AND name = 'Withdrawn'), 0)
        + coalesce(sum((args->>'fee')::numeric) FILTER (WHERE here AND name = 'Settled'), 0) AS fees,
      count(*) FILTER (WHERE here AND name = 'Executed') AS trades,
      coalesce(sum((args->>'spent')::numeric) FILTER (WHERE here AND name = 'Executed'), 0) AS spent,
      coalesce(sum((args->>'received')::numeric) FILTER (WHERE here AND name IN ('Executed', 'Unwound')), 0) AS received,
      coalesce(bool_or(block_time < ${week.from.toISOString()}), false) AS earlier,
      max(block_number) FILTER (WHERE NOT here AND name IN ('Deposited', 'DirectDeposit', 'Withdrawn')) AS moved_before,
      max(block_number) FILTER (WHERE name IN ('Deposited', 'DirectDeposit', 'Withdrawn')) AS moved_by_end
    FROM (
      SELECT name, args, block_number, block_time, block_time >= ${week.from.toISOString()} AS here FROM chain_fact
      WHERE chain_id = ${chainId} AND vault = ${vault} AND canonical AND name <> 'VaultCreated'
        AND block_time < ${week.to.toISOString()}) facts`)
}

const countRow = z.object({ name: z.string(), count: z.number() })

/** Refused attempts of a week by kind. */
function refusalsOfWeek(db: Db, mandateId: number, week: IsoWeek): Promise<readonly z.output<typeof countRow>[]> {
  return db.any(sql.type(countRow)`
    SELECT kind AS name, count(*) FROM refusal
    WHERE mandate_id = ${mandateId} AND canonical AND at >= ${week.from.toISOString()} AND at < ${week.to.toISOString()}
    GROUP BY 1 ORDER BY 1`)
}

/** Entries of a week by their kinds, as the record has them. */
function entriesOfWeek(db: Db, mandateId: number, week: IsoWeek): Promise<readonly z.output<typeof countRow>[]> {
  return db.any(sql.type(countRow)`
    SELECT CASE WHEN kind = 'refused' AND entry->'body'->>'kind' = 'owner_declined' THEN 'approval_declined'
      WHEN kind = 'event' AND entry->'body'->>'violation' = 'true' THEN 'violation' ELSE kind END AS name, count(*)
    FROM record_entry
    WHERE mandate_id = ${mandateId} AND at >= ${week.from.toISOString()} AND at < ${week.to.toISOString()}
    GROUP BY 1`)
}

const dayRow = z.object({ day: z.string() })

/** UTC days of a week with a violation. */
async function daysWithViolation(db: Db, mandateId: number, week: IsoWeek): Promise<readonly string[]> {
  const rows = await db.any(sql.type(dayRow)`
    SELECT DISTINCT (at AT TIME ZONE 'UTC')::date AS day FROM record_entry
    WHERE mandate_id = ${mandateId} AND at >= ${week.from.toISOString()} AND at < ${week.to.toISOString()}
      AND (kind = 'violation' OR (kind = 'event' AND entry->'body'->>'violation' = 'true'))`)
  return rows.map(({ day }) => day)
}

/** The newest entry before a time. */
function headBefore(db: Db, mandateId: number, before: Date): Promise<{ seq: number; hash: string } | null> {
  return db.maybeOne(sql.type(z.object({ seq: z.number(), hash: z.string() }))`
    SELECT seq, hash FROM record_entry WHERE mandate_id = ${mandateId} AND at < ${before.toISOString()}
    ORDER BY seq DESC LIMIT 1`)
}

/** Everything that a statement is made of, of one moment, so that its figures agree with each other and with the record's head. */
export function readWeek(pool: Pool, mandateId: number, week: IsoWeek) {
  return pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`)
    const vault = await vaultOfMandate(tx, mandateId)
    return {
      vault,
      sums: vault === null ? null : await sumsOfWeek(tx, vault.chain_id, vault.address, week),
      opening: await worthBefore(tx, mandateId, week.from),
      closing: await worthBefore(tx, mandateId, week.to),
      refusals: await refusalsOfWeek(tx, mandateId, week),
      entries: await entriesOfWeek(tx, mandateId, week),
      violated: await daysWithViolation(tx, mandateId, week),
      head: await headBefore(tx, mandateId, week.to),
    }
  })
}
