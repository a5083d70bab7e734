import { type Address, formatTransactionReceipt, type Hex, isHash, type TransactionReceipt } from 'viem'
import type { BlockHeader } from './blocks.ts'
import type { Chain } from './chain.ts'
import { RpcInconsistent, RpcRefused } from './errors.ts'
import { inParallel } from './in-parallel.ts'
import { type CommittedReceipt, receiptsRootOf } from './receipts-root.ts'

/** The members of a transaction that are known before its receipt is read. */
export interface BlockTransaction {
  readonly hash: Hex
  readonly from: Address
  /** Null for the creation of a contract. */
  readonly to: Address | null
}

/** The members of a header that identify its block's receipts. */
export type BlockOfReceipts = Pick<BlockHeader, 'number' | 'hash' | 'receiptsRoot' | 'transactions'>

/** Options of reading a block's receipts. */
export interface ReceiptsOptions {
  /** Limits the fallback to transactions of interest; `eth_getBlockReceipts` returns all. */
  readonly wanted?: (transaction: BlockTransaction) => boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the receipts of a block that `wanted` selects, in the order of its transactions. Calls `eth_getBlockReceipts`. If an
 * RPC rejects that, reads the block and single receipts instead; if it lacks the method, does not call it again.
 *
 * Rejects with `RpcInconsistent` if a receipt belongs to another block than `block`, if the receipts are not those of its
 * transactions, or if a status, log or gas figure differs from what the header's receipts root commits to. Single receipts
 * are compared with `eth_getLogs` instead, which does not cover their status.
 */
export async function blockReceipts(
  chain: Chain,
  block: BlockOfReceipts,
  { wanted = () => true, signal }: ReceiptsOptions = {},
): Promise<TransactionReceipt[]> {
  const receipts = (await wholeBlock(chain, block, signal)) ?? (await oneByOne(chain, block, wanted, signal))
  return receipts.filter(({ transactionHash, from, to }) => wanted({ hash: transactionHash, from, to }))
}

/** JSON-RPC codes of "method not found" and "method not supported". */
const NO_SUCH_METHOD = new Set([-32601, -32004])

/** Chains whose RPC has no `eth_getBlockReceipts`. */
const singly = new WeakSet<Chain>()

async function wholeBlock(
  chain: Chain,
  block: BlockOfReceipts,
  signal?: AbortSignal,
): Promise<TransactionReceipt[] | null> {
  if (singly.has(chain)) return null
  const { number } = block
  try {
    const answer = await chain.request('eth_getBlockReceipts', [`0x${number.toString(16)}`], signal)
    if (!Array.isArray(answer)) throw new RpcInconsistent(`the receipts of block ${number} are missing`)
    const receipts = answer.map(toReceipt)
    for (const receipt of receipts) checkPlace(block, receipt)
    if (receipts.length !== block.transactions.length || rootOf(answer as CommittedReceipt[]) !== block.receiptsRoot)
      throw new RpcInconsistent(`the receipts of block ${number} are not those that its header commits to`)
    return receipts
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error
    if (NO_SUCH_METHOD.has(error.code)) singly.add(chain)
    return null
  }
}

/** Returns the root of receipts; null if they cannot be encoded. */
function rootOf(receipts: readonly CommittedReceipt[]): Hex | null {
  try {
    return receiptsRootOf(receipts)
  } catch {
    return null
  }
}

async function oneByOne(
  chain: Chain,
  block: BlockOfReceipts,
  wanted: (transaction: BlockTransaction) => boolean,
  signal?: AbortSignal,
): Promise<TransactionReceipt[]> {
  const answer = await chain.request('eth_getBlockByHash', [block.hash, true], signal)
  const transactions = (answer as { transactions?: BlockTransaction[] } | null)?.transactions
  if (transactions === undefined) throw new RpcInconsistent(`block ${block.number} is no longer in the chain`)
  const receipts = await inParallel(
    transactions.filter(({ hash, from, to }) => wanted({ hash, from, to })),
    async ({ hash }) => {
      const receipt = await findReceipt(chain, hash, signal)
      if (receipt === null) throw new RpcInconsistent(`transaction ${hash} of block ${block.number} has no receipt`)
      checkPlace(block, receipt)
      return receipt
    },
  )
  if (receipts.length > 0) checkLogs(receipts, await logsOfBlock(chain, block, signal))
  return receipts
}

interface PlacedLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly logIndex: Hex | number | null
  readonly transactionHash: Hex | null
  readonly blockHash: Hex | null
}

async function logsOfBlock(
  chain: Chain,
  { hash, number }: BlockOfReceipts,
  signal?: AbortSignal,
): Promise<readonly PlacedLog[]> {
  const answer = await chain.request('eth_getLogs', [{ blockHash: hash }], signal)
  if (!Array.isArray(answer)) throw new RpcInconsistent(`the logs of block ${number} are missing`)
  return answer as PlacedLog[]
}

/** Returns the members of a log that must be equal in every response, as text. */
export function logText({ address, topics, data, logIndex, transactionHash, blockHash }: PlacedLog): string {
  return [blockHash, transactionHash, Number(logIndex), address, topics.join(), data].join(' ').toLowerCase()
}

function checkLogs(receipts: readonly TransactionReceipt[], logs: readonly PlacedLog[]): void {
  for (const receipt of receipts) {
    const theirs = logs.filter(({ transactionHash }) => transactionHash === receipt.transactionHash).map(logText)
    if (theirs.toSorted().join('\n') !== receipt.logs.map(logText).toSorted().join('\n'))
      throw new RpcInconsistent(`the receipt of ${receipt.transactionHash} has other logs than eth_getLogs returned`)
  }
}

/** Throws unless a receipt belongs to the transaction at its index in the block. */
function checkPlace(
  { number, hash, transactions }: BlockOfReceipts,
  { blockHash, blockNumber, transactionHash, transactionIndex, logs }: TransactionReceipt,
): void {
  if (blockHash !== hash || blockNumber !== number)
    throw new RpcInconsistent(
      `the receipt of ${transactionHash} names another hash for block ${number} than its header`,
    )
  if (transactions[transactionIndex] !== transactionHash)
    throw new RpcInconsistent(
      `the receipt of ${transactionHash} names the index of another transaction in block ${number}`,
    )
  if (logs.some((log) => log.transactionHash !== transactionHash || log.blockHash !== hash))
    throw new RpcInconsistent(`the receipt of ${transactionHash} has logs of another transaction or block`)
}

/** Reads the receipt of a transaction without checking it; null if the transaction is not mined as far as the RPC knows. */
export async function findReceipt(chain: Chain, hash: Hex, signal?: AbortSignal): Promise<TransactionReceipt | null> {
  const answer = await chain.request('eth_getTransactionReceipt', [hash], signal)
  return answer === null || answer === undefined ? null : toReceipt(answer)
}

function toReceipt(answer: unknown): TransactionReceipt {
  const { transactionHash, blockHash, logs } = answer as Record<string, unknown>
  if (!isHash(String(transactionHash)) || !isHash(String(blockHash)) || !Array.isArray(logs))
    throw new RpcInconsistent('a receipt has no transaction, block or logs')
  return formatTransactionReceipt(answer as Parameters<typeof formatTransactionReceipt>[0])
}
