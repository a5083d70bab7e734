import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const verifiedRow = z.object({ instance_id: z.number(), chain: z.string(), address: z.string() })

/** Returns the contracts of reviewed metadata, by instance. */
export async function verifiedContracts(db: Db): Promise<ReadonlyMap<number, z.output<typeof verifiedRow>>> {
  const rows = await db.any(sql.type(verifiedRow)`
    SELECT instance_id, chain, address FROM verified_contract WHERE chain IS NOT NULL AND address IS NOT NULL`)
  return new Map(rows.map((row) => [row.instance_id, row]))
}

/** Stores an approved chain or address of the current asset of a symbol; an older approval changes nothing. */
export async function noteVerified(
  tx: Tx,
  tokenId: string,
  field: 'chain' | 'address',
  value: string,
  at: string,
): Promise<void> {
  const [column, time] = [sql.identifier([field]), sql.identifier([`${field}_at`])]
  await tx.query(sql.unsafe`
    INSERT INTO verified_contract (instance_id, ${column}, ${time})
    SELECT instance_id, ${value}, ${at}::timestamptz FROM token WHERE token_id = ${tokenId}
    ON CONFLICT (instance_id) DO UPDATE SET ${column} = excluded.${column}, ${time} = excluded.${time}
    WHERE verified_contract.${time} IS NULL OR verified_contract.${time} <= excluded.${time}`)
}
