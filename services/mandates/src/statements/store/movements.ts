import { json, sql, type Pool } from '@svc/postgres'
import { z } from 'zod'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { legFill, type LegFill, type Movement, type VaultMovement } from '../rules/bookings.ts'

const factRow = z.object({
  at: z.string(),
  name: z.string(),
  args: json(z.record(z.string(), z.union([z.string(), z.boolean()]))),
  tx_hash: z.string(),
  data: z.string().nullable(),
})
const fillRow = z.object({ fill: json(legFill) })

/** Returns the standing facts of a mandate's vault in chain order, and the filled orders of its leg, in one snapshot by time. */
export function movementsOf(pool: Pool, mandateId: number): Promise<readonly Movement[]> {
  return pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`)
    const vault = await vaultOfMandate(tx, mandateId)
    const facts: readonly VaultMovement[] =
      vault === null
        ? []
        : await tx.any(sql.type(factRow)`
            SELECT f.block_time AS at, f.name, f.args, f.tx_hash, r.data
            FROM chain_fact f LEFT JOIN LATERAL (
              SELECT e.entry->'body'->>'data' AS data FROM record_entry e
              WHERE f.name IN ('Executed', 'Unwound') AND e.mandate_id = ${mandateId}
                AND coalesce(e.tx_hash, e.entry->'body'->>'approval_id') = f.tx_hash
                AND e.kind = 'chain_fact' AND (e.entry->'body'->>'log_ordinal')::int = f.log_ordinal
              ORDER BY e.entry->'body'->>'data' NULLS LAST LIMIT 1) r ON true
            WHERE f.chain_id = ${vault.chain_id} AND f.vault = ${vault.address} AND f.canonical
            ORDER BY f.block_number, f.log_index`)
    const fills = await tx.any(sql.type(fillRow)`
      SELECT entry->'body' AS fill FROM record_entry WHERE mandate_id = ${mandateId} AND kind = 'leg_order' ORDER BY seq`)
    return inTime(
      facts,
      fills.map(({ fill }) => fill),
    )
  })
}

/** Merges two lists in the order of time; each keeps its own order, and facts of the chain come first at one time. */
function inTime(facts: readonly VaultMovement[], fills: readonly LegFill[]): readonly Movement[] {
  const timed = [
    ...facts.map((fact) => ({ at: Date.parse(fact.at), movement: { fact } as Movement })),
    ...fills.map((fill) => ({ at: Date.parse(fill.filled_at), movement: { fill } as Movement })),
  ]
  return timed.toSorted((one, other) => one.at - other.at).map(({ movement }) => movement)
}
