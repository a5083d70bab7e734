import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const offers = table('read_offer', {
  id: z.string(),
  accountId: z.number(),
  resourceHash: z.string(),
  amount: z.number(),
  seqs: z.array(z.number()),
  expiresAt: instant,
  charged: z.number().nullable(),
  newestSeq: z.number().nullable(),
})
/** A page of signals that an account was offered; `charged` is null until it was paid. */
export type Offer = RowOf<typeof offers>

/** Days for which a paid offer answers its repetitions; what was paid for is free afterwards too. */
const PAID_KEPT = '30 days'
/** An unpaid offer can be told from an unknown one for this time after its end. */
const ENDED_KEPT = '10 minutes'

/** Returns an offer of an account; null for another account's. */
export function offerOf(db: Db, accountId: number, id: string): Promise<Offer | null> {
  return db.maybeOne(sql.prepared('read_offer_of', offers.row)`
    SELECT ${offers.list} FROM read_offer WHERE id = ${id} AND account_id = ${accountId}`)
}

const idRow = z.object({ id: z.string() })

/** Stores an offer, or prolongs the one that the account has for the same page and price. Deletes its old ones. */
export async function makeOffer(
  tx: Tx,
  offer: Omit<Offer, 'charged' | 'newestSeq'>,
  now: Date,
): Promise<{ readonly id: string }> {
  const { accountId, resourceHash, amount } = offer
  const [at, end, seqs] = [now.toISOString(), offer.expiresAt.toISOString(), sql.array([...offer.seqs], 'int4')]
  await tx.query(sql.unsafe`
    DELETE FROM read_offer WHERE account_id = ${accountId} AND (
      (used_at IS NULL AND expires_at < ${at}::timestamptz - ${ENDED_KEPT}::interval)
      OR used_at < ${at}::timestamptz - ${PAID_KEPT}::interval)`)
  return tx.one(sql.type(idRow)`
    WITH known AS (
      UPDATE read_offer SET expires_at = greatest(expires_at, ${end}::timestamptz)
      WHERE id = (
        SELECT id FROM read_offer
        WHERE account_id = ${accountId} AND resource_hash = ${resourceHash} AND amount = ${amount} AND seqs = ${seqs}
          AND used_at IS NULL AND expires_at > ${at}::timestamptz
        ORDER BY created_at DESC LIMIT 1)
      RETURNING id
    ), made AS (
      INSERT INTO read_offer (id, account_id, resource_hash, amount, seqs, created_at, expires_at)
      SELECT ${offer.id}, ${accountId}, ${resourceHash}, ${amount}, ${seqs}, ${at}, ${end}
      WHERE NOT EXISTS (SELECT 1 FROM known) RETURNING id
    )
    SELECT id FROM known UNION ALL SELECT id FROM made`)
}

/** Stores the answer of a paid offer, unless it has one. */
export async function useOffer(
  db: Db,
  offer: { readonly id: string; readonly charged: number; readonly newestSeq: number },
  now: Date,
): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE read_offer SET used_at = ${now.toISOString()}, charged = ${offer.charged}, newest_seq = ${offer.newestSeq}
    WHERE id = ${offer.id} AND used_at IS NULL`)
}
