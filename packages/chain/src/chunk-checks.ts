import type { Address, Hex } from 'viem'
import type { BlockHeader } from './blocks.ts'
import type { Chain } from './chain.ts'
import { RpcInconsistent } from './errors.ts'
import type { RawLog } from './get-logs.ts'
import { blockReceipts } from './receipts.ts'

/** Blocks a chunk whose receipts are read because their bloom promises a log that eth_getLogs does not give. */
const BLOOM_RECEIPTS_MAX = 8

/** Headers of blocks, by their number. */
export type Headers = ReadonlyMap<bigint, BlockHeader>

/** Throws `RpcInconsistent` unless each header follows the one before it, where both are known. */
export function checkLinks(headers: Headers): void {
  for (const { number, parentHash } of headers.values()) {
    const parent = headers.get(number - 1n)
    if (parent !== undefined && parent.hash !== parentHash)
      throw new RpcInconsistent(`block ${number} does not follow block ${number - 1n} as the RPC gives it`)
  }
}

/** Throws `RpcInconsistent` unless each log carries the hash of its block's header. */
export function checkHashes(logs: readonly RawLog[], headers: Headers): void {
  for (const { blockNumber, blockHash, logIndex } of logs) {
    if (headers.get(BigInt(blockNumber))?.hash !== blockHash)
      throw new RpcInconsistent(
        `log ${BigInt(logIndex)} of block ${BigInt(blockNumber)} carries another block hash than the block's header`,
      )
  }
}

/** Asks the receipts of some suspect blocks: a log of ours there means that eth_getLogs leaves logs out. */
export async function refuteBlooms(
  chain: Chain,
  suspects: readonly BlockHeader[],
  asked: {
    readonly addresses: ReadonlySet<Address>
    readonly topics: readonly Hex[]
    readonly thirdTopics: readonly Hex[] | null
  },
  signal?: AbortSignal,
): Promise<void> {
  const topics = new Set<Hex | undefined>(asked.topics)
  const thirdTopics = asked.thirdTopics === null ? null : new Set<Hex | undefined>(asked.thirdTopics)
  for (const { number, hash } of suspects.slice(-BLOOM_RECEIPTS_MAX)) {
    const receipts = await blockReceipts(chain, { number, hash }, { signal })
    const ours = receipts.some(({ logs }) =>
      logs.some(
        (log) =>
          asked.addresses.has(log.address.toLowerCase() as Address) &&
          topics.has(log.topics[0]) &&
          (thirdTopics?.has(log.topics[2]) ?? true),
      ),
    )
    if (ours) throw new RpcInconsistent(`block ${number} holds logs that eth_getLogs leaves out`)
  }
}
