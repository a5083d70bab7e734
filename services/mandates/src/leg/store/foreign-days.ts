import { sql, type Tx } from '@svc/postgres'

/** Stores how many executions of others the account of a leg had on a UTC day; returns false if as many are known. */
export async function noteForeignDay(tx: Tx, mandateId: number, day: string, fills: number): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO foreign_day (mandate_id, day, fills) VALUES (${mandateId}, ${day}, ${fills})
    ON CONFLICT (mandate_id, day) DO UPDATE SET fills = excluded.fills WHERE foreign_day.fills < excluded.fills`)
  return rowCount > 0
}
