import { type Address, formatTransactionReceipt, type Hex, isHash, type TransactionReceipt } from 'viem'
import type { Anchor } from './blocks.ts'
import type { Chain } from './chain.ts'
import { RpcInconsistent, RpcRefused } from './errors.ts'
import { inParallel } from './in-parallel.ts'

/** What is known of a transaction before its receipt is read. */
export interface BlockTransaction {
  readonly hash: Hex
  readonly from: Address
  /** Null for a creation of a contract. */
  readonly to: Address | null
}

export interface ReceiptsOptions {
  /** Limits the fallback to transactions of interest; `eth_getBlockReceipts` gives all. */
  readonly wanted?: (transaction: BlockTransaction) => boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Receipts of a block in the order of its transactions, those that `wanted` lets through. Asks
 * `eth_getBlockReceipts`; once an RPC refuses that, each later call of this chain reads the block and single receipts
 * instead. Rejects with `RpcInconsistent` when a receipt belongs to another block than `block`.
 */
export async function blockReceipts(
  chain: Chain,
  block: Pick<Anchor, 'number' | 'hash'>,
  { wanted = () => true, signal }: ReceiptsOptions = {},
): Promise<TransactionReceipt[]> {
  const receipts = (await wholeBlock(chain, block.number, signal)) ?? (await oneByOne(chain, block, wanted, signal))
  for (const receipt of receipts) {
    if (receipt.blockHash !== block.hash)
      throw new RpcInconsistent(
        `the receipt of ${receipt.transactionHash} names another hash for block ${block.number} than its header`,
      )
  }
  return receipts.filter(({ transactionHash, from, to }) => wanted({ hash: transactionHash, from, to }))
}

/** Chains whose RPC has refused `eth_getBlockReceipts`. */
const singly = new WeakSet<Chain>()

async function wholeBlock(chain: Chain, number: bigint, signal?: AbortSignal): Promise<TransactionReceipt[] | null> {
  if (singly.has(chain)) return null
  try {
    const answer = await chain.request('eth_getBlockReceipts', [`0x${number.toString(16)}`], signal)
    if (Array.isArray(answer)) return answer.map(toReceipt)
    throw new RpcInconsistent(`the receipts of block ${number} are not there`)
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error
    singly.add(chain)
    return null
  }
}

async function oneByOne(
  chain: Chain,
  block: Pick<Anchor, 'number' | 'hash'>,
  wanted: (transaction: BlockTransaction) => boolean,
  signal?: AbortSignal,
): Promise<TransactionReceipt[]> {
  const answer = await chain.request('eth_getBlockByHash', [block.hash, true], signal)
  const transactions = (answer as { transactions?: BlockTransaction[] } | null)?.transactions
  if (transactions === undefined) throw new RpcInconsistent(`block ${block.number} is not there any more`)
  return inParallel(
    transactions.filter(({ hash, from, to }) => wanted({ hash, from, to })),
    async ({ hash }) => {
      const receipt = await findReceipt(chain, hash, signal)
      if (receipt === null) throw new RpcInconsistent(`transaction ${hash} of block ${block.number} has no receipt`)
      return receipt
    },
  )
}

/** Receipt of a transaction, or null when it is not mined as far as the RPC knows. */
export async function findReceipt(chain: Chain, hash: Hex, signal?: AbortSignal): Promise<TransactionReceipt | null> {
  const answer = await chain.request('eth_getTransactionReceipt', [hash], signal)
  return answer === null || answer === undefined ? null : toReceipt(answer)
}

function toReceipt(answer: unknown): TransactionReceipt {
  const { transactionHash, blockHash } = answer as Record<string, unknown>
  if (!isHash(String(transactionHash)) || !isHash(String(blockHash)))
    throw new RpcInconsistent('a receipt comes without its transaction or block')
  return formatTransactionReceipt(answer as Parameters<typeof formatTransactionReceipt>[0])
}
