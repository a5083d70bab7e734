import {
  type Address,
  formatTransaction,
  type Hex,
  isAddressEqual,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type Signature,
  type Transaction,
  type TransactionReceipt,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import { headNumber, readHeader } from './blocks.ts'
import type { Chain } from './chain.ts'
import { RpcInconsistent } from './errors.ts'
import { blockReceipts, type BlockTransaction, findReceipt, logText } from './receipts.ts'

/** The state of a transaction. */
export type TransactionState =
  /** The RPC does not know the transaction, or dropped it after a reorganisation. */
  | { readonly state: 'unknown' }
  | { readonly state: 'pending'; readonly transaction: Transaction }
  | {
      readonly state: 'mined'
      readonly transaction: Transaction
      readonly receipt: TransactionReceipt
      /** Time of its block in Unix seconds. */
      readonly timestamp: bigint
      /** Number of blocks after its block. */
      readonly depth: bigint
      /** `depth` has reached `HUB_CONFIRMATIONS`. */
      readonly confirmed: boolean
    }

/**
 * Looks up a transaction and verifies its hash and signature, that its receipt belongs to a block of the present chain, and
 * that the block's header commits to the receipt (`blockReceipts`). Rejects with `RpcInconsistent` if one of these does not
 * hold, because of a false response or a reorganisation, and with `RpcUnavailable` if the RPC does not answer.
 */
export async function lookUpTransaction(chain: Chain, hash: Hex, signal?: AbortSignal): Promise<TransactionState> {
  const first = await findReceipt(chain, hash, signal)
  const transaction = await findTransaction(chain, hash, signal)
  if (transaction === null) {
    if (first === null) return { state: 'unknown' }
    throw new RpcInconsistent(`${hash} has a receipt, but the transaction is unknown`)
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
  const wanted = ({ hash: of }: BlockTransaction) => of === transaction.hash
  const [committed] = await blockReceipts(chain, header, { wanted, signal })
  if (committed === undefined || !sameReceipt(receipt, committed) || !isOf(committed, transaction))
    throw new RpcInconsistent(`transaction ${hash}: its receipt is not the one of its block, or of another transaction`)
  const head = await headNumber(chain, signal)
  const depth = head > receipt.blockNumber ? head - receipt.blockNumber : 0n
  return {
    state: 'mined',
    transaction,
    receipt: committed,
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
    throw new RpcInconsistent(`the response for transaction ${hash} is another transaction`)
  if (!(await isGenuine(transaction)))
    throw new RpcInconsistent(`the contents of transaction ${hash} do not match its hash and signature`)
  return transaction
}

/** Types whose hash and sender follow from their members on every chain; types of single chains are not verified. */
const SIGNED_TYPES: ReadonlySet<string> = new Set(['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702'])

/** Returns whether a transaction has the stated hash and was signed by the stated sender. */
async function isGenuine(transaction: Transaction): Promise<boolean> {
  if (!SIGNED_TYPES.has(transaction.type)) return true
  const { input: data, r, s, v, yParity, to, ...members } = transaction
  const signature = yParity === undefined ? { r, s, v } : { r, s, yParity }
  try {
    const serialized = serializeTransaction(
      { ...members, data, to } as TransactionSerializable,
      signature as Signature,
    ) as TransactionSerialized
    return (
      keccak256(serialized) === transaction.hash &&
      isAddressEqual(await recoverTransactionAddress({ serializedTransaction: serialized }), transaction.from)
    )
  } catch {
    return false
  }
}

/** Members, without the logs, that two readings of one receipt must have in common. */
const COMPARED = ['status', 'from', 'to', 'transactionIndex', 'blockNumber', 'cumulativeGasUsed'] as const

function sameReceipt(one: TransactionReceipt, other: TransactionReceipt): boolean {
  const logs = ({ logs: all }: TransactionReceipt) => all.map(logText).join('\n')
  return COMPARED.every((member) => one[member] === other[member]) && logs(one) === logs(other)
}

function isOf(receipt: TransactionReceipt, { from, to, transactionIndex }: Transaction): boolean {
  const same = (a: Address | null, b: Address | null) => (a ?? '').toLowerCase() === (b ?? '').toLowerCase()
  return (
    same(receipt.from, from) &&
    same(receipt.to, to) &&
    (transactionIndex === null || receipt.transactionIndex === transactionIndex)
  )
}
