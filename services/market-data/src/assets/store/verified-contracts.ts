import { sql, type Tx } from '@svc/postgres'

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
