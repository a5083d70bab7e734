import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const explanationRow = z.object({
  public_id: z.string(),
  value: z.string().transform(BigInt),
  expected: z.string().transform(BigInt),
  holds: z.boolean(),
  read_at: z.string().transform((text) => new Date(text)),
})
/** An account's value against what its payments and trades make of it. Base units of USDC. */
export type Explanation = z.output<typeof explanationRow>

/** Stores how an account's value is explained at a reading, unless a newer one is stored. */
export async function storeExplanation(db: Db, one: Explanation): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO leg_explanation (public_id, value, expected, holds, read_at)
    VALUES (${one.public_id}, ${String(one.value)}, ${String(one.expected)}, ${one.holds}, ${one.read_at.toISOString()})
    ON CONFLICT (public_id) DO UPDATE SET value = excluded.value, expected = excluded.expected, holds = excluded.holds,
      read_at = excluded.read_at
    WHERE leg_explanation.read_at < excluded.read_at`)
}

/** Returns the newest explanations of legs; one that was never compared is left out. */
export async function explanationsOf(db: Db, publicIds: readonly string[]): Promise<ReadonlyMap<string, Explanation>> {
  const rows = await db.any(sql.type(explanationRow)`
    SELECT public_id, value, expected, holds, read_at FROM leg_explanation
    WHERE public_id = ANY(${sql.array([...publicIds], 'text')})`)
  return new Map(rows.map((row) => [row.public_id, row]))
}

const publicIdRow = z.object({ public_id: z.string() })

/** Returns mandates with leg money at the venue, the longest unexplained first. */
export async function legsToExplain(db: Db, limit: number): Promise<readonly string[]> {
  return db.anyFirst(sql.type(publicIdRow)`
    SELECT t.public_id FROM transfer t LEFT JOIN leg_explanation e USING (public_id)
    WHERE t.kind = 'fund' AND t.venue = 'landed'
      AND NOT EXISTS (SELECT 1 FROM transfer l WHERE l.public_id = t.public_id AND l.last AND l.state = 'confirmed')
    GROUP BY t.public_id ORDER BY min(e.read_at) NULLS FIRST, t.public_id LIMIT ${limit}`)
}
