import { formatTransaction, type Hex, type Transaction, type TransactionReceipt } from 'viem'
import { readHeader } from './blocks.ts'
import type { Chain } from './chain.ts'
import { RpcInconsistent } from './errors.ts'
import { findReceipt } from './receipts.ts'

/** Where a transaction stands. */
export type TransactionState =
  /** The RPC has never heard of it, or has forgotten it after a reorganisation. */
  | { readonly state: 'unknown' }
  | { readonly state: 'pending'; readonly transaction: Transaction }
  | {
      readonly state: 'mined'
      readonly transaction: Transaction
      readonly receipt: TransactionReceipt
      /** Time of its block, seconds since 1970. */
      readonly timestamp: bigint
      /** Blocks on top of its block. */
      readonly depth: bigint
      /** `depth` has reached `HUB_CONFIRMATIONS`. */
      readonly confirmed: boolean
    }

/**
 * Looks a transaction up and makes sure that its receipt belongs to the block that is in the chain now. Rejects with
 * `RpcInconsistent` when the receipt names another block than the chain has at that height, which is a lying RPC or a
 * reorganisation under way; with `RpcUnavailable` when the RPC does not answer.
 */
export async function lookUpTransaction(chain: Chain, hash: Hex, signal?: AbortSignal): Promise<TransactionState> {
  const first = await findReceipt(chain, hash, signal)
  const transaction = await findTransaction(chain, hash, signal)
  if (transaction === null) {
    if (first === null) return { state: 'unknown' }
    throw new RpcInconsistent(`${hash} has a receipt, but there is no such transaction`)
  }
  if (first === null && transaction.blockNumber === null) return { state: 'pending', transaction }
  // It may have been mined between the two reads.
  const receipt = first ?? (await findReceipt(chain, hash, signal))
  if (receipt === null) throw new RpcInconsistent(`transaction ${hash} is in a block, but has no receipt`)
  const header = await readHeader(chain, receipt.blockNumber, signal)
  const hashes = [receipt.blockHash, transaction.blockHash ?? receipt.blockHash]
  if (receipt.transactionHash !== transaction.hash || hashes.some((blockHash) => blockHash !== header.hash))
    throw new RpcInconsistent(
      `transaction ${hash}: its receipt names another hash for block ${receipt.blockNumber} than the block's header`,
    )
  const head = BigInt(String(await chain.request('eth_blockNumber', [], signal)))
  const depth = head > receipt.blockNumber ? head - receipt.blockNumber : 0n
  return {
    state: 'mined',
    transaction,
    receipt,
    timestamp: header.timestamp,
    depth,
    confirmed: depth >= BigInt(chain.confirmations),
  }
}

async function findTransaction(chain: Chain, hash: Hex, signal?: AbortSignal): Promise<Transaction | null> {
  const answer = await chain.request('eth_getTransactionByHash', [hash], signal)
  if (answer === null || answer === undefined) return null
  const transaction = formatTransaction(answer as Parameters<typeof formatTransaction>[0]) as Transaction
  if (transaction.hash.toLowerCase() !== hash.toLowerCase())
    throw new RpcInconsistent(`transaction ${hash} was asked for and another one came`)
  return transaction
}
