import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'
import { vaultRow } from '#books/store/vaults.ts'
import type { Vault } from '#books/rules/vault.ts'
import { utcDayOf } from './day-use.ts'

const judgingRow = z.object({
  vault: vaultRow.nullable(),
  terms: z.unknown(),
  item_id: z.string().nullable(),
  held: units,
  leg_held: units,
  leg_used: units,
  worth: units.nullable(),
})

/** Stored rows that a call is judged by. */
export interface Judging {
  readonly vault: Vault | null
  /** Figures of the newest signed terms as they are stored; null before the first signature. */
  readonly terms: unknown
  /** The newest item of exactly this call that is open, or was declined and not long ago. */
  readonly item_id: string | null
  /** Base units that the other open calls hold. */
  readonly held: bigint
  /** Base units of the daily cap that open orders of the leg hold, and that fills and reservations of today use. */
  readonly leg_held: bigint
  readonly leg_used: bigint
  /** The newest known worth; null when it is older than asked for, or than what was paid in last. */
  readonly worth: bigint | null
}

/** Everything stored that decides whether a call passes. */
export function judgingOf(
  db: Db,
  mandateId: number,
  callHash: string,
  times: { readonly now: Date; readonly worthSince: Date },
): Promise<Judging> {
  const now = times.now.toISOString()
  // One statement, because agents ask this before every call: each part is an index scan of its own.
  return db.one(sql.prepared('judging_of', judgingRow)`
    SELECT
      (SELECT to_jsonb(v) FROM vault v WHERE mandate_id = ${mandateId}) AS vault,
      (SELECT terms FROM signed_terms WHERE mandate_id = ${mandateId} ORDER BY n DESC LIMIT 1) AS terms,
      (SELECT id FROM approval
        WHERE mandate_id = ${mandateId} AND call_hash = ${callHash} AND status IN ('pending', 'approved', 'declined') AND expires_at > ${now}
        ORDER BY seq DESC LIMIT 1) AS item_id,
      (SELECT coalesce(sum(amount), 0) FROM approval
        WHERE mandate_id = ${mandateId} AND kind = 'call' AND call_hash <> ${callHash} AND status IN ('pending', 'approved')
          AND expires_at > ${now}) AS held,
      (SELECT coalesce(sum(amount), 0) FROM approval
        WHERE mandate_id = ${mandateId} AND kind = 'leg_order' AND status IN ('pending', 'approved') AND expires_at > ${now}) AS leg_held,
      (SELECT coalesce(sum(CASE WHEN outcome IS NULL THEN reserved ELSE used END), 0) FROM leg_reservation
        WHERE mandate_id = ${mandateId} AND day = ${utcDayOf(times.now)}) AS leg_used,
      (SELECT worth FROM (
        SELECT at, worth, block_number FROM worth WHERE mandate_id = ${mandateId} AND worth IS NOT NULL ORDER BY at DESC LIMIT 1) AS newest
        WHERE at >= ${times.worthSince.toISOString()} AND NOT EXISTS (
          SELECT FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address
          WHERE v.mandate_id = ${mandateId} AND f.canonical AND f.name IN ('Deposited', 'DirectDeposit')
            AND f.block_number > newest.block_number)) AS worth`)
}
