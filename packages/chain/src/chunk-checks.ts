import type { Address, Hex } from 'viem'
import type { BlockHeader } from './blocks.ts'
import { inBloom } from './bloom.ts'
import type { Chain } from './chain.ts'
import { RpcInconsistent } from './errors.ts'
import type { RawLog } from './get-logs.ts'
import { inParallel } from './in-parallel.ts'
import { blockReceipts, logText } from './receipts.ts'

/** Maximum number of blocks per chunk whose receipts are read because their bloom indicates a log that eth_getLogs omits. */
const BLOOM_RECEIPTS_MAX = 8

/** Headers of blocks, by their number. */
export type Headers = ReadonlyMap<bigint, BlockHeader>

/** Logs by the number of their block. */
export type LogsByBlock = ReadonlyMap<bigint, readonly RawLog[]>

/** Throws `RpcInconsistent` unless each header follows the one before it, where both are known. */
export function checkLinks(headers: Headers): void {
  for (const { number, parentHash } of headers.values()) {
    const parent = headers.get(number - 1n)
    if (parent !== undefined && parent.hash !== parentHash)
      throw new RpcInconsistent(`block ${number} does not follow block ${number - 1n}`)
  }
}

/** Throws `RpcInconsistent` unless each log has the hash of its block's header. */
export function checkHashes(blocks: LogsByBlock, headers: Headers): void {
  for (const [number, own] of blocks) {
    const hash = headers.get(number)?.hash
    const odd = own.find(({ blockHash }) => blockHash !== hash)
    if (odd !== undefined)
      throw new RpcInconsistent(
        `log ${BigInt(odd.logIndex)} of block ${number} has another block hash than the block's header`,
      )
  }
}

/** Throws `RpcInconsistent` unless each log's address and topics are in the bloom of its block's header. */
export function checkBlooms(blocks: LogsByBlock, headers: Headers): void {
  for (const [number, own] of blocks) {
    const values = new Set(own.flatMap(({ address, topics }) => [address, ...topics]))
    if (!inBloom(headers.get(number)?.logsBloom ?? '0x', values))
      throw new RpcInconsistent(`eth_getLogs returned a log of block ${number} that the block's bloom excludes`)
  }
}

/** The filter of a sweep. */
export interface Asked {
  readonly addresses: ReadonlySet<Address>
  readonly topics: readonly Hex[]
  readonly thirdTopics: readonly Hex[] | null
}

function asksFor({ addresses, topics, thirdTopics }: Asked) {
  const first = new Set<Hex | undefined>(topics)
  const third = thirdTopics === null ? null : new Set<Hex | undefined>(thirdTopics)
  return (log: { readonly address: Address; readonly topics: readonly Hex[] }): boolean =>
    addresses.has(log.address.toLowerCase() as Address) &&
    first.has(log.topics[0]) &&
    (third?.has(log.topics[2]) ?? true)
}

/**
 * Throws `RpcInconsistent` unless the receipts of each block from `provenFrom` on that holds a log, to which its header
 * commits, hold the same logs as were read.
 */
export async function checkReceipts(
  chain: Chain,
  blocks: LogsByBlock,
  headers: Headers,
  asked: Asked,
  { provenFrom, signal }: { readonly provenFrom?: bigint; readonly signal?: AbortSignal },
): Promise<void> {
  if (provenFrom === undefined) return
  const ours = asksFor(asked)
  await inParallel(
    [...blocks].filter(([number]) => number >= provenFrom),
    async ([number, read]) => {
      const header = headers.get(number)
      if (header === undefined) throw new RpcInconsistent(`block ${number} has a log and was not read`)
      const hashes = new Set(read.map(({ transactionHash }) => transactionHash))
      const receipts = await blockReceipts(chain, header, { wanted: ({ hash }) => hashes.has(hash), signal })
      const proven = receipts.flatMap((receipt) => receipt.logs.filter(ours).map(logText))
      if (proven.toSorted().join('\n') !== read.map(logText).toSorted().join('\n'))
        throw new RpcInconsistent(`the receipts of block ${number} have other logs than eth_getLogs returned`)
    },
  )
}

/** Reads the receipts of some suspect blocks; throws `RpcInconsistent` if they have a log that eth_getLogs omits. */
export async function refuteBlooms(
  chain: Chain,
  suspects: readonly BlockHeader[],
  asked: Asked,
  signal?: AbortSignal,
): Promise<void> {
  const ours = asksFor(asked)
  for (const header of suspects.slice(-BLOOM_RECEIPTS_MAX)) {
    const receipts = await blockReceipts(chain, header, { signal })
    if (receipts.some(({ logs }) => logs.some(ours)))
      throw new RpcInconsistent(`block ${header.number} has logs that eth_getLogs omits`)
  }
}
