import { sql, units, type Db, type Pool } from '@svc/postgres'
import { z } from 'zod'
import type { IsoWeek } from '../rules/iso-week.ts'
import { factsOfVault } from '#books/store/chain-facts.ts'
import type { Vault } from '#books/rules/vault.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { LEG_ENDED } from '#record/store/record.ts'
import { worthBefore } from '#worth/store/worth.ts'

const sumsRow = z.object({
  deposits: units,
  withdrawals: units,
  fees: units,
  trades: z.number(),
  spent: units,
  received: units,
  leg_funded: units,
  leg_returned: units,
  earlier: z.boolean(),
  moved_before: z.number().nullable(),
  moved_by_end: z.number().nullable(),
})
/**
 * Sums of a vault's events in a week, in USDC base units. `earlier`: there are events before the week. `moved_*`: block of
 * the newest deposit or withdrawal before the week, and before its end; null if there is none.
 */
type WeekSums = z.output<typeof sumsRow>

/** Sums the canonical facts of a vault by the time of their blocks. */
function sumsOfWeek(db: Db, chainId: number, vault: string, week: IsoWeek): Promise<WeekSums> {
  return db.one(sql.type(sumsRow)`
    SELECT coalesce(sum((args->>'amount')::numeric) FILTER (WHERE here AND name IN ('Deposited', 'DirectDeposit')), 0) AS deposits,
      coalesce(sum((args->>'amount')::numeric) FILTER (WHERE here AND name = 'Withdrawn'), 0) AS withdrawals,
      coalesce(sum((args->>'feeAccrued')::numeric) FILTER (WHERE here AND name = 'Withdrawn'), 0)
        + coalesce(sum((args->>'fee')::numeric) FILTER (WHERE here AND name = 'Settled'), 0) AS fees,
      count(*) FILTER (WHERE here AND name = 'Executed') AS trades,
      coalesce(sum((args->>'spent')::numeric) FILTER (WHERE here AND name = 'Executed'), 0) AS spent,
      coalesce(sum((args->>'received')::numeric) FILTER (WHERE here AND name IN ('Executed', 'Unwound')), 0) AS received,
      coalesce(sum((args->>'amount')::numeric) FILTER (WHERE here AND name = 'LegFunded'), 0) AS leg_funded,
      coalesce(sum((args->>'amount')::numeric) FILTER (WHERE here AND name = 'LegReturned'), 0) AS leg_returned,
      coalesce(bool_or(block_time < ${week.from.toISOString()}), false) AS earlier,
      max(block_number) FILTER (WHERE NOT here AND name IN ('Deposited', 'DirectDeposit', 'Withdrawn')) AS moved_before,
      max(block_number) FILTER (WHERE name IN ('Deposited', 'DirectDeposit', 'Withdrawn')) AS moved_by_end
    FROM (
      SELECT name, args, block_number, block_time, block_time >= ${week.from.toISOString()} AS here FROM chain_fact
      WHERE chain_id = ${chainId} AND vault = ${vault} AND canonical AND name <> 'VaultCreated'
        AND block_time < ${week.to.toISOString()}) facts`)
}

const countRow = z.object({ name: z.string(), count: z.number() })

/** Counts the refused attempts of a week by kind. */
function refusalsOfWeek(db: Db, mandateId: number, week: IsoWeek): Promise<readonly z.output<typeof countRow>[]> {
  return db.any(sql.type(countRow)`
    SELECT kind AS name, count(*) FROM refusal
    WHERE mandate_id = ${mandateId} AND canonical AND at >= ${week.from.toISOString()} AND at < ${week.to.toISOString()}
    GROUP BY 1 ORDER BY 1`)
}

const legRow = z.object({ orders: z.number(), filled: units, fees: units })

/** Sums the orders of the leg that the venue filled, by the time at which they were resolved. */
function legOfWeek(db: Db, mandateId: number, week: IsoWeek): Promise<z.output<typeof legRow>> {
  return db.one(sql.type(legRow)`
    SELECT count(*) AS orders, coalesce(sum(notional), 0) AS filled, coalesce(sum(fee), 0) AS fees FROM leg_reservation
    WHERE mandate_id = ${mandateId} AND outcome = 'filled'
      AND resolved_at >= ${week.from.toISOString()} AND resolved_at < ${week.to.toISOString()}`)
}

const legEndRow = z.object({ owed: units, kept: units, fee: units })

/** Sums what stayed owed of legs that the house ended in a week, by the record. */
function legEndOfWeek(db: Db, mandateId: number, week: IsoWeek): Promise<z.output<typeof legEndRow>> {
  const sumOf = (figure: string) =>
    sql.fragment`trunc(coalesce(sum((entry->'body'->>${figure})::numeric), 0) * 1000000)`
  return db.one(sql.type(legEndRow)`
    SELECT ${sumOf('owed_usdc')} AS owed, ${sumOf('kept_by_owner_usdc')} AS kept, ${sumOf('fee_owed_usdc')} AS fee
    FROM record_entry WHERE mandate_id = ${mandateId} AND kind = ${LEG_ENDED}
      AND at >= ${week.from.toISOString()} AND at < ${week.to.toISOString()}`)
}

const approvalsRow = z.object({
  requested: z.number(),
  approved: z.number(),
  declined: z.number(),
  used: z.number(),
  expired: z.number(),
})

/** Counts the approvals of a week: each step by its time, a use by the time of its block or of its order's reservation. */
function approvalsOfWeek(db: Db, mandateId: number, week: IsoWeek): Promise<z.output<typeof approvalsRow>> {
  return db.one(sql.type(approvalsRow)`
    SELECT count(*) FILTER (WHERE requested_at <@ week) AS requested,
      count(*) FILTER (WHERE decided_at <@ week AND status <> 'declined') AS approved,
      count(*) FILTER (WHERE decided_at <@ week AND status = 'declined') AS declined,
      count(*) FILTER (WHERE expires_at <@ week AND status = 'expired') AS expired,
      (SELECT count(*) FROM execution WHERE mandate_id = ${mandateId} AND canonical AND verdict = 'approved'
        AND block_time >= ${week.from.toISOString()} AND block_time < ${week.to.toISOString()})
      + (SELECT count(*) FROM leg_reservation WHERE mandate_id = ${mandateId} AND approval_id IS NOT NULL
        AND coalesce(outcome, 'filled') = 'filled'
        AND reserved_at >= ${week.from.toISOString()} AND reserved_at < ${week.to.toISOString()}) AS used
    FROM tstzrange(${week.from.toISOString()}, ${week.to.toISOString()}) AS week
    LEFT JOIN approval ON mandate_id = ${mandateId}`)
}

const violationsRow = z.object({ day: z.string(), count: z.number() })

/**
 * Counts the violations of a week by UTC day: canonical executions on the day of their block, fills of the leg above what was
 * judged, and reports of the agent on the day of the report. A report of a transaction on the chain does not count a second time.
 */
function violationsOfWeek(
  db: Db,
  mandateId: number,
  week: IsoWeek,
): Promise<readonly z.output<typeof violationsRow>[]> {
  return db.any(sql.type(violationsRow)`
    SELECT (at AT TIME ZONE 'UTC')::date AS day, count(*) FROM (
      SELECT block_time AS at FROM execution
      WHERE mandate_id = ${mandateId} AND canonical AND verdict = 'violation'
        AND block_time >= ${week.from.toISOString()} AND block_time < ${week.to.toISOString()}
      UNION ALL
      SELECT at FROM record_entry
      WHERE mandate_id = ${mandateId} AND at >= ${week.from.toISOString()} AND at < ${week.to.toISOString()}
        AND kind = 'violation' AND entry->'body'->>'reason' = 'leg_fill_above_judgement'
      UNION ALL
      SELECT at FROM record_entry e
      WHERE mandate_id = ${mandateId} AND at >= ${week.from.toISOString()} AND at < ${week.to.toISOString()}
        AND kind = 'event' AND entry->'body'->>'violation' = 'true'
        AND NOT EXISTS (
          SELECT FROM execution x WHERE x.mandate_id = e.mandate_id AND x.tx_hash = e.tx_hash AND x.canonical)) AS found
    GROUP BY 1`)
}

const callRow = z.object({
  at: z.string(),
  target: z.string(),
  data: z.string().nullable(),
  spent: units,
  received: units,
})
/** An executed call of a week; `data` is null where the record has no calldata of it. */
export type CallOfWeek = z.output<typeof callRow>

/** Returns the first executed calls of a week in chain order, with the calldata that the record has of each. */
export function callsOfWeek(
  db: Db,
  { mandate_id, chain_id, address }: Pick<Vault, 'mandate_id' | 'chain_id' | 'address'>,
  week: IsoWeek,
  max: number,
): Promise<readonly CallOfWeek[]> {
  return db.any(sql.type(callRow)`
    SELECT f.block_time AS at, f.args->>'target' AS target, r.data, (f.args->>'spent')::numeric AS spent,
      (f.args->>'received')::numeric AS received
    FROM chain_fact f LEFT JOIN LATERAL (
      SELECT e.entry->'body'->>'data' AS data FROM record_entry e
      WHERE e.mandate_id = ${mandate_id} AND coalesce(e.tx_hash, e.entry->'body'->>'approval_id') = f.tx_hash
        AND e.kind = 'chain_fact' AND (e.entry->'body'->>'log_ordinal')::int = f.log_ordinal
      ORDER BY e.entry->'body'->>'data' NULLS LAST LIMIT 1) r ON true
    WHERE f.chain_id = ${chain_id} AND f.vault = ${address} AND f.name = 'Executed' AND f.canonical
      AND f.block_time >= ${week.from.toISOString()} AND f.block_time < ${week.to.toISOString()}
    ORDER BY f.block_number, f.log_index LIMIT ${max}`)
}

const seqHashRow = z.object({ seq: z.number(), hash: z.string() })

/** Returns the newest entry of the record before a time. */
function headBefore(db: Db, mandateId: number, before: Date): Promise<{ seq: number; hash: string } | null> {
  return db.maybeOne(sql.type(seqHashRow)`
    SELECT seq, hash FROM record_entry WHERE mandate_id = ${mandateId} AND at < ${before.toISOString()}
    ORDER BY seq DESC LIMIT 1`)
}

/** Reads everything for a statement in one snapshot, so that its figures agree with each other and with the record's head. */
export function readWeek(pool: Pool, mandateId: number, week: IsoWeek) {
  return pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`)
    const vault = await vaultOfMandate(tx, mandateId)
    const sums = vault === null ? null : await sumsOfWeek(tx, vault.chain_id, vault.address, week)
    return {
      vault,
      sums,
      leg: await legOfWeek(tx, mandateId, week),
      legEnd: await legEndOfWeek(tx, mandateId, week),
      // Only a withdrawal must be compared with the books.
      facts:
        vault === null || sums === null || sums.withdrawals === 0n
          ? []
          : await factsOfVault(tx, vault.chain_id, vault.address),
      opening: await worthBefore(tx, mandateId, week.from),
      closing: await worthBefore(tx, mandateId, week.to),
      refusals: await refusalsOfWeek(tx, mandateId, week),
      approvals: await approvalsOfWeek(tx, mandateId, week),
      violations: await violationsOfWeek(tx, mandateId, week),
      head: await headBefore(tx, mandateId, week.to),
    }
  })
}
