import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const termsRow = z.object({
  n: z.number(),
  terms_hash: z.string(),
  chain_id: z.number(),
  factory: z.string(),
  signature: z.string(),
  terms: z.unknown(),
  clauses: z.array(z.object({ number: z.number(), text: z.string() })),
  edition: z.number(),
  signed_at: z.string(),
})
/** Signed terms with their clause texts and the signature; `n` counts the signatures of a mandate. */
export type SignedTerms = z.output<typeof termsRow>

/** Returns the newest signed terms, which are the ones that count. */
export function newestTerms(db: Db, mandateId: number): Promise<SignedTerms | null> {
  return db.maybeOne(sql.type(termsRow)`
    SELECT n, terms_hash, chain_id, factory, signature, terms, clauses, edition, signed_at
    FROM signed_terms
    WHERE mandate_id = ${mandateId} ORDER BY n DESC LIMIT 1`)
}

/** Stores signed terms as the newest. The mandate must be locked. */
export async function insertTerms(tx: Tx, mandateId: number, signed: Omit<SignedTerms, 'n'>): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO signed_terms (mandate_id, n, terms_hash, chain_id, factory, signature, terms, clauses, edition,
      signed_at)
    SELECT ${mandateId}, count(*) + 1, ${signed.terms_hash}, ${signed.chain_id}, ${signed.factory}, ${signed.signature},
      ${JSON.stringify(signed.terms)}::jsonb, ${JSON.stringify(signed.clauses)}::jsonb, ${signed.edition}, ${signed.signed_at}
    FROM signed_terms WHERE mandate_id = ${mandateId}`)
}
