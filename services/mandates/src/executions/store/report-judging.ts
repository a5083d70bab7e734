import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'

const reportRow = z.object({
  attached: z.boolean(),
  terms: z.unknown(),
  known: z.boolean(),
  used: units,
  approved: z.boolean(),
})

/** What the chain and the owner say of the time, amount and transaction of a report. The mandate must be locked. */
export function reportJudgingOf(
  db: Db,
  mandateId: number,
  report: { readonly at: Date; readonly amount: bigint | null; readonly txHash: string | null },
): Promise<z.output<typeof reportRow>> {
  const day = Math.floor(report.at.getTime() / 86_400_000)
  const amount = report.amount === null ? null : String(report.amount)
  // `known`: a standing fact of the vault comes from this transaction. `used`: what calls pulled and orders of the leg used on
  // that UTC day.
  return db.one(sql.prepared('report_judging_of', reportRow)`
    SELECT
      EXISTS (SELECT 1 FROM vault WHERE mandate_id = ${mandateId}) AS attached,
      (SELECT terms FROM signed_terms WHERE mandate_id = ${mandateId} ORDER BY n DESC LIMIT 1) AS terms,
      ${report.txHash}::text IS NOT NULL AND EXISTS (
        SELECT 1 FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address
        WHERE v.mandate_id = ${mandateId} AND f.tx_hash = ${report.txHash} AND f.canonical) AS known,
      (SELECT coalesce(sum(spent), 0) FROM execution WHERE mandate_id = ${mandateId} AND day = ${day} AND canonical)
        + (SELECT coalesce(sum(CASE WHEN outcome IS NULL THEN reserved ELSE used END), 0) FROM leg_reservation
          WHERE mandate_id = ${mandateId} AND day = ${day}) AS used,
      EXISTS (
        SELECT 1 FROM approval WHERE mandate_id = ${mandateId} AND kind = 'call' AND amount = ${amount}::numeric AND status IN ('approved', 'used')) AS approved`)
}
