import type { Deposit } from '@svc/contracts/chain-indexer/deposits'
import { sql, type Db, type Tx } from '@svc/postgres'

/** Stores which agent an address belongs to; an address belongs to one agent. */
export async function putDepositAddress(
  db: Db,
  { chainId, address, agentId }: { readonly chainId: number; readonly address: string; readonly agentId: number },
): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO deposit_address (chain_id, address, agent_id) VALUES (${chainId}, ${address.toLowerCase()}, ${agentId})
    ON CONFLICT DO NOTHING`)
}

/** Stores a deposit to an agent's wallet. A revision lower than the stored one changes nothing. */
export async function putDeposit(tx: Tx, deposit: Deposit): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO deposit AS known (chain_id, tx_hash, address, transfer_ordinal, revision, status, agent_id, sender, asset, amount,
      block_number, at)
    SELECT chain_id, ${deposit.tx_hash.toLowerCase()}, address, ${deposit.transfer_ordinal}, ${deposit.revision}, ${deposit.status},
      agent_id, ${deposit.from}, ${deposit.asset}, ${deposit.amount}, ${deposit.block_number}, ${deposit.block_time}
    FROM deposit_address WHERE chain_id = ${deposit.chain_id} AND address = ${deposit.address.toLowerCase()}
    ON CONFLICT (chain_id, tx_hash, address, transfer_ordinal) DO UPDATE SET
      revision = excluded.revision, status = excluded.status, sender = excluded.sender, asset = excluded.asset,
      amount = excluded.amount, block_number = excluded.block_number, at = excluded.at
    WHERE known.revision < excluded.revision`)
}
