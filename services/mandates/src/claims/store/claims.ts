import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const claims = table('agent_claim', {
  agent_id: z.number(),
  kind: z.enum(['task_market', 'knowledge_graph']),
  ref: z.string(),
  evidence_url: z.string(),
  verified_by: z.number(),
  verified_at: z.string(),
})
const claimRow = claims.row.extend({ claim_id: z.number() })
/** A verified piece of work. */
export type Claim = z.output<typeof claimRow>

const columns = sql.fragment`id AS claim_id, ${claims.list}`

/** Stores a verified claim and returns it; null if one of this kind and ref is stored. */
export function insertClaim(tx: Tx, claim: RowOf<typeof claims>): Promise<Claim | null> {
  return tx.maybeOne(sql.type(claimRow)`
    ${claims.insert(claim)} ON CONFLICT (kind, ref) DO NOTHING RETURNING ${columns}`)
}

/** Returns the claim of a kind and ref. Throws if none is stored. */
export function claimOf(db: Db, { kind, ref }: Pick<Claim, 'kind' | 'ref'>): Promise<Claim> {
  return db.one(sql.type(claimRow)`SELECT ${columns} FROM agent_claim WHERE kind = ${kind} AND ref = ${ref}`)
}
