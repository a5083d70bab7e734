import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { calledData, isOfCall } from '#books/rules/called-data.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'

/** Returns the facts of a vault in a receipt, its creation included; none while the transaction is not mined. */
export function factsOfReceipt(transaction: ChainTransaction, vault: string): readonly ChainFact[] {
  const { block_number, block_hash, block_time } = transaction
  if (block_number === null || block_hash === null || block_time === null) return []
  return transaction.logs
    .filter((log) => log.vault.toLowerCase() === vault)
    .map((log) => ({
      chainId: transaction.chain_id,
      txHash: transaction.tx_hash.toLowerCase(),
      logOrdinal: log.log_ordinal,
      logIndex: log.log_index,
      vault,
      name: log.name,
      args: log.args,
      blockNumber: block_number,
      blockHash: block_hash.toLowerCase(),
      blockTime: block_time,
      revision: 0,
      canonical: true,
      ...(isOfCall(log) ? { data: calledData(transaction, { vault, ...callIn(log.args) }) } : {}),
    }))
}

const callIn = ({ target, selector }: ChainFact['args']) => ({ target, selector })
