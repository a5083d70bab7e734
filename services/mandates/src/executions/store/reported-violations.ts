import { sql, type Tx } from '@svc/postgres'
import { counterOf } from '@svc/service'
import { z } from 'zod'

/** A violation that an agent reported while the chain did not show its transaction. */
export interface ReportedViolation {
  readonly reason: string
  readonly txHash: string | null
  readonly at: Date
}

const countViolation = counterOf('hub_violations_total', 'Violations of mandates that agents reported', [{}])

/** Condition of a report `r` whose transaction the chain does not show. */
export const isUnseen = sql.fragment`NOT EXISTS (
  SELECT FROM execution x WHERE x.mandate_id = r.mandate_id AND x.tx_hash = r.tx_hash AND x.canonical)`

export async function insertReportedViolation(
  tx: Tx,
  mandateId: number,
  { reason, txHash, at }: ReportedViolation,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO reported_violation (mandate_id, reason, tx_hash, at)
    VALUES (${mandateId}, ${reason}, ${txHash}, ${at.toISOString()})`)
  countViolation()
}

const atRow = z.object({ at: z.string().nullable() })

/** Returns when a violation by a transaction was first reported; null if none was. */
export async function firstReportedAt(tx: Tx, mandateId: number, txHash: string): Promise<Date | null> {
  const at = await tx.oneFirst(sql.type(atRow)`
    SELECT min(at) AS at FROM reported_violation WHERE mandate_id = ${mandateId} AND tx_hash = ${txHash}`)
  return at === null ? null : new Date(at)
}
