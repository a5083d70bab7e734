import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const seqRow = z.object({ seq: z.number() })

/**
 * Stores a head as the highest of its mandate. Returns false if a higher head is stored, or another hash for the same
 * entry. One statement, so that the row's lock orders concurrent heads of one mandate.
 */
export async function keepHead(
  db: Db,
  head: { readonly mandate: string; readonly seq: number; readonly hash: string },
  now: Date,
): Promise<boolean> {
  const kept = await db.maybeOne(sql.type(seqRow)`
    INSERT INTO record_heads AS known (mandate, seq, hash, signed_at)
    VALUES (${head.mandate}, ${head.seq}, ${head.hash}, ${now.toISOString()})
    ON CONFLICT (mandate) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, signed_at = excluded.signed_at
      WHERE known.seq < excluded.seq OR (known.seq = excluded.seq AND known.hash = excluded.hash)
    RETURNING seq`)
  return kept !== null
}
