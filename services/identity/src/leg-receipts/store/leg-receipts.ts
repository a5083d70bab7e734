import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const hashRow = z.object({ hash: z.string() })

/** Stores the content that is signed for an order. Returns false if another content was signed for it. */
export async function keepReceipt(
  db: Db,
  receipt: { readonly mandate: string; readonly cloid: string; readonly hash: string },
  now: Date,
): Promise<boolean> {
  // One statement, so that of two contents at once one is stored.
  const kept = await db.maybeOne(sql.prepared('keep_receipt', hashRow)`
    INSERT INTO leg_receipts AS known (mandate, cloid, hash, signed_at)
    VALUES (${receipt.mandate}, ${receipt.cloid}, ${receipt.hash}, ${now.toISOString()})
    ON CONFLICT (mandate, cloid) DO UPDATE SET signed_at = excluded.signed_at
      WHERE known.hash = excluded.hash
    RETURNING hash`)
  return kept !== null
}
