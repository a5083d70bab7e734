import { instant, sql, table, units, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'

const explanations = table('leg_equation', {
  public_id: z.string(),
  read_at: instant,
  value: units,
  foreign_money: units,
  expected: units,
  holds: z.boolean(),
  flat: z.boolean(),
})
/** A reading of an account whose value is compared with what its payments and trades make of it. Base units of USDC. */
export type Explanation = RowOf<typeof explanations>

const { row: explanationRow, list: columns } = explanations

/** Readings that were explained are kept for so long before the newest of them. */
const KEPT = sql.fragment`interval '1 hour'`

/** Stores how an account's value is explained at a reading; forgets what no end of the leg can need. */
export async function storeExplanation(db: Db, one: Explanation): Promise<void> {
  const { public_id } = one
  await db.query(sql.unsafe`${explanations.insert(one)} ON CONFLICT DO NOTHING`)
  // The newest stays, and those that hold of the hour before explanations ceased.
  await db.query(sql.unsafe`
    DELETE FROM leg_equation old USING (
      SELECT max(read_at) AS newest, max(read_at) FILTER (WHERE holds) AS held
      FROM leg_equation WHERE public_id = ${public_id}) last
    WHERE public_id = ${public_id} AND old.read_at < last.newest
      AND (NOT old.holds OR old.read_at < last.held - ${KEPT})`)
}

/** Returns the newest explanations of legs; one that was never compared is left out. */
export async function explanationsOf(db: Db, publicIds: readonly string[]): Promise<ReadonlyMap<string, Explanation>> {
  const rows = await db.any(sql.type(explanationRow)`
    SELECT DISTINCT ON (public_id) ${columns} FROM leg_equation
    WHERE public_id = ANY(${sql.array([...publicIds], 'text')}) ORDER BY public_id, read_at DESC`)
  return new Map(rows.map((row) => [row.public_id, row]))
}

/** Returns the readings of a leg that were explained within the hour before explanations ceased. */
export function lastExplained(db: Db, publicId: string): Promise<readonly Explanation[]> {
  return db.any(sql.type(explanationRow)`
    SELECT ${columns} FROM leg_equation WHERE public_id = ${publicId} AND holds AND read_at >= (
      SELECT max(read_at) FROM leg_equation WHERE public_id = ${publicId} AND holds) - ${KEPT}`)
}

const publicIdRow = z.object({ public_id: z.string() })

/**
 * Returns mandates with leg money at the venue whose newest equation is older than `before`, or missing, the longest
 * unexplained first.
 */
export async function legsToExplain(db: Db, before: Date, limit: number): Promise<readonly string[]> {
  return db.anyFirst(sql.type(publicIdRow)`
    SELECT t.public_id FROM transfer t LEFT JOIN leg_equation e USING (public_id)
    WHERE t.kind = 'fund' AND t.venue = 'landed'
      AND NOT EXISTS (SELECT 1 FROM transfer l WHERE l.public_id = t.public_id AND l.last AND l.state = 'confirmed')
    GROUP BY t.public_id HAVING coalesce(max(e.read_at) <= ${before.toISOString()}, true)
    ORDER BY max(e.read_at) NULLS FIRST, t.public_id LIMIT ${limit}`)
}
