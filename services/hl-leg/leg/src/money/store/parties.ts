import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const partyRow = z
  .object({ owner_id: z.number(), account_ids: z.array(z.number()) })
  .transform(({ owner_id, account_ids }) => [owner_id, account_ids] as const)

/** Stores which accounts belong to the party of an owner. */
export async function storeParty(db: Db, ownerId: number, accountIds: readonly number[]): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO owner_party (owner_id, account_ids) VALUES (${ownerId}, ${sql.array([...accountIds], 'int8')})
    ON CONFLICT (owner_id) DO UPDATE SET account_ids = excluded.account_ids`)
}

/** Returns the accounts of the parties of owners as they were stored last; a party that was never read is left out. */
export async function partiesOf(db: Db, ownerIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await db.any(sql.type(partyRow)`
    SELECT owner_id, account_ids FROM owner_party WHERE owner_id = ANY(${sql.array([...ownerIds], 'int8')})`)
  return new Map(rows)
}
