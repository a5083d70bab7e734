import { sql, type Db } from '@svc/postgres'
import type { PublishedName } from '#venues/rules/venue.ts'

/**
 * Stores the names that a venue states of its currencies, in one statement. A name that it states no longer is kept, and
 * rows with the same names are not written.
 */
export async function putNames(db: Db, exchange: string, names: ReadonlyMap<string, PublishedName>): Promise<number> {
  const rows = [...names]
  const { rowCount } = await db.query(sql.unsafe`
    UPDATE token SET name = coalesce(stated.name, token.name), name_ko = coalesce(stated.name_ko, token.name_ko)
    FROM unnest(${sql.array(
      rows.map(([base]) => base),
      'text',
    )}, ${sql.array(
      rows.map(([, { name }]) => name),
      'text',
    )}, ${sql.array(
      rows.map(([, { nameKo }]) => nameKo),
      'text',
    )}) AS stated (base, name, name_ko)
    WHERE token.exchange = ${exchange} AND token.base = stated.base
      AND (coalesce(stated.name, token.name), coalesce(stated.name_ko, token.name_ko))
        IS DISTINCT FROM (token.name, token.name_ko)`)
  return rowCount
}
