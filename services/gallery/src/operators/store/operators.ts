import { operatorKind, operatorSource } from '@svc/contracts/gallery/operators'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const row = z.object({
  id: z.string(),
  agent_id: z.number(),
  kind: operatorKind,
  title: z.string(),
  house: z.boolean(),
  vault_id: z.string(),
  source: operatorSource,
  created_at: z.string(),
  ended_at: z.string().nullable(),
})
/** An operator; `ended_at` is null while it may publish. */
export type Operator = z.output<typeof row>

/** Returns all operators in the order in which they were added, also those that have ended. */
export function allOperators(db: Db): Promise<readonly Operator[]> {
  return db.any(sql.type(row)`
    SELECT o.id, o.agent_id, o.kind, o.title, o.house, o.vault_id, o.source, o.created_at, e.at AS ended_at
    FROM operator o LEFT JOIN operator_end e ON e.operator_id = o.id ORDER BY o.seq LIMIT 10000`)
}

const vaultRow = row.omit({ ended_at: true }).extend({ live: z.boolean(), ended_at: z.string().nullable() })
/** The operator of a vault; `live` is false once it has ended. */
export type VaultOperator = z.output<typeof vaultRow>

/** Returns the operator of a vault, also one that has ended; null for an unknown vault. */
export function findOperatorVault(db: Db, vaultId: string): Promise<VaultOperator | null> {
  return db.maybeOne(sql.type(vaultRow)`
    SELECT o.id, o.agent_id, o.kind, o.title, o.house, o.vault_id, o.source, o.created_at, e.at AS ended_at, e.at IS NULL AS live
    FROM operator o LEFT JOIN operator_end e ON e.operator_id = o.id WHERE o.vault_id = ${vaultId}`)
}
