import { sql, type Db } from '@svc/postgres'

/** Whether a standing fact of the vault is known from this transaction. */
export function knownTransaction(db: Db, chainId: number, vault: string, txHash: string): Promise<boolean> {
  return db.exists(sql.unsafe`
    SELECT 1 FROM chain_fact WHERE chain_id = ${chainId} AND tx_hash = ${txHash} AND vault = ${vault} AND canonical`)
}
