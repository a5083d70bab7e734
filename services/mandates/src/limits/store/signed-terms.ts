import { json, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const signatures = table('signed_terms', {
  terms_hash: z.string(),
  chain_id: z.number(),
  factory: z.string(),
  signature: z.string(),
  terms: json(z.unknown()),
  clauses: json(z.array(z.object({ number: z.number(), text: z.string() }))),
  edition: z.number(),
  signed_at: z.string(),
})
const termsRow = signatures.row.extend({ n: z.number() })
/** Signed terms with their clause texts and the signature; `n` counts the signatures of a mandate. */
export type SignedTerms = z.output<typeof termsRow>

/** Returns the newest signed terms, which are the ones that count. */
export function newestTerms(db: Db, mandateId: number): Promise<SignedTerms | null> {
  return db.maybeOne(sql.type(termsRow)`
    SELECT n, ${signatures.list} FROM signed_terms WHERE mandate_id = ${mandateId} ORDER BY n DESC LIMIT 1`)
}

/** Stores signed terms as the newest. The mandate must be locked. */
export async function insertTerms(tx: Tx, mandateId: number, signed: RowOf<typeof signatures>): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO signed_terms (mandate_id, n, ${signatures.names})
    SELECT ${mandateId}, count(*) + 1, ${signatures.values(signed)}
    FROM signed_terms WHERE mandate_id = ${mandateId}`)
}
