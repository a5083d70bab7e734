import type { Address, Hex } from 'viem'
import { type Anchor, type BlockHeader, readHeader } from './blocks.ts'
import { type BloomFilter, bloomFilter } from './bloom.ts'
import type { Chain } from './chain.ts'
import {
  type Asked,
  checkBlooms,
  checkHashes,
  checkLinks,
  checkReceipts,
  type Headers,
  type LogsByBlock,
  refuteBlooms,
} from './chunk-checks.ts'
import { RpcInconsistent } from './errors.ts'
import { fetchLogs, type LogLimits, type RawLog } from './get-logs.ts'
import { inParallel } from './in-parallel.ts'

/** With more addresses a call filters by topic only, and this module matches the addresses. */
const TOPIC_ONLY_ABOVE = 1_000
const READINGS_MAX = 3

/** Options of a sweep. */
export interface LogSweep {
  readonly fromBlock: bigint
  /** Last block, inclusive; at most `safeHead`. */
  readonly toBlock: bigint
  /** First topics, one of which a log must have. */
  readonly topics: readonly Hex[]
  readonly addresses: readonly Address[]
  /** Third topics (the second indexed argument), one of which a log must have; default: any. */
  readonly thirdTopics?: readonly Hex[]
  /** Returns the address of a contract that a log announces: its logs in the same and later chunks are read too. */
  readonly discover?: (log: RawLog) => Address | null
  /** Blocks per chunk, clamped to `HUB_GETLOGS_MAX_SPAN`. */
  readonly span?: number
  /** Addresses per call, clamped to `HUB_GETLOGS_MAX_ADDRESSES`. */
  readonly addressesPerCall?: number
  /**
   * `every` (default) reads the header of every block and checks their links, and the bloom of each against its logs.
   * `needed` reads the chunk's first and last block and those with logs, 100 times fewer calls over empty ranges; a node
   * that omits logs is then detected in the last block only.
   */
  readonly headers?: 'every' | 'needed'
  /**
   * First block whose logs are compared with the receipts, one call per block with logs; without it no receipts are read.
   */
  readonly provenFrom?: bigint
  /** Number of addresses above which calls filter by topic only; default 1,000. */
  readonly topicOnlyAbove?: number
  readonly signal?: AbortSignal
}

/** The logs of a range of blocks, verified to belong to the chain at the time of the read. */
export interface LogChunk {
  readonly fromBlock: bigint
  readonly toBlock: bigint
  /** Hash of the block before `fromBlock`, named by the chunk's first header: links the chunk to the blocks read before. */
  readonly parentHash: Hex
  /** Ordered by block and log index, without repetitions. */
  readonly logs: readonly RawLog[]
  /** In rising order: every block with one of the logs, and the chunk's last block. */
  readonly anchors: readonly Anchor[]
}

/**
 * Reads a range chunk by chunk; a consumer stores each chunk with its cursor before it requests the next. Rejects with
 * `RpcUnavailable`, `RpcRefused` or `RpcInconsistent`: a failed chunk yields nothing, so the cursor stays before it. Sizes
 * that the RPC rejected stay reduced for the rest of the sweep.
 */
export async function* sweepLogs(chain: Chain, sweep: LogSweep): AsyncGenerator<LogChunk, void, undefined> {
  const limits: LogLimits = {
    span: clamped(sweep.span, chain.logLimits.span),
    addresses: clamped(sweep.addressesPerCall, chain.logLimits.addresses),
  }
  const known = new Set(sweep.addresses.map(lower))
  for (let from = sweep.fromBlock; from <= sweep.toBlock;) {
    sweep.signal?.throwIfAborted()
    const last = from + BigInt(limits.span) - 1n
    const to = last < sweep.toBlock ? last : sweep.toBlock
    yield await readChunk({ chain, sweep, from, to, limits }, known)
    from = to + 1n
  }
}

const clamped = (wanted: number | undefined, max: number) => Math.max(1, Math.min(wanted ?? max, max))

interface Reading {
  readonly chain: Chain
  readonly sweep: LogSweep
  readonly from: bigint
  readonly to: bigint
  readonly limits: LogLimits
}

async function readChunk(reading: Reading, known: Set<Address>): Promise<LogChunk> {
  const { chain, sweep, from, to } = reading
  const every = sweep.headers !== 'needed'
  const first = await readHeaders(reading, every ? numbersOf(from, to) : [from, to], new Map())
  checkLinks(first)
  const { logs, blocks, headers, discovered } = await settledLogs(reading, known, first)
  const after = await readHeader(chain, to, sweep.signal)
  if (headers.get(to)?.hash !== after.hash)
    throw new RpcInconsistent(`block ${to} changed while the logs up to it were read`)
  for (const address of discovered) known.add(address)
  await checkReceipts(chain, blocks, headers, askedOf(reading, known), sweep)
  const anchors = [...headers.values()]
    .filter(({ number }) => number === to || blocks.has(number))
    .map(({ number, hash, parentHash, timestamp }) => ({ number, hash, parentHash, timestamp }))
    .toSorted((a, b) => Number(a.number - b.number))
  return { fromBlock: from, toBlock: to, parentHash: (headers.get(from) as BlockHeader).parentHash, logs, anchors }
}

const askedOf = ({ sweep: { topics, thirdTopics } }: Reading, addresses: ReadonlySet<Address>): Asked => ({
  addresses,
  topics,
  thirdTopics: thirdTopics ?? null,
})

interface Found {
  readonly logs: readonly RawLog[]
  /** The logs by the number of their block. */
  readonly blocks: LogsByBlock
  readonly discovered: ReadonlySet<Address>
  readonly bloom: BloomFilter
}

/**
 * Reads until no block's bloom indicates a missing log, or until two readings agree: nodes serve a new block before they
 * have indexed its logs, but a bloom may also match by chance.
 */
async function settledLogs(
  reading: Reading,
  known: ReadonlySet<Address>,
  first: Headers,
): Promise<Found & { headers: Headers }> {
  let headers = first
  let previous: readonly RawLog[] | null = null
  for (let readings = 1; readings <= READINGS_MAX; readings++) {
    const found = await readAddresses(reading, known)
    headers = await readHeaders(reading, [...found.blocks.keys()], headers)
    checkHashes(found.blocks, headers)
    checkBlooms(found.blocks, headers)
    const suspects = [...headers.values()].filter(
      ({ number, logsBloom }) => !found.blocks.has(number) && found.bloom.mayHold(logsBloom),
    )
    if (suspects.length === 0) return { ...found, headers }
    if (previous !== null && sameLogs(previous, found.logs)) {
      const addresses = new Set([...known, ...found.discovered])
      await refuteBlooms(reading.chain, suspects, askedOf(reading, addresses), reading.sweep.signal)
      return { ...found, headers }
    }
    previous = found.logs
  }
  throw new RpcInconsistent(`the logs of blocks ${reading.from} to ${reading.to} differ from reading to reading`)
}

/** Reads the logs of the known addresses, then of those that the logs announce, until no address is new. */
async function readAddresses({ chain, sweep, from, to, limits }: Reading, known: ReadonlySet<Address>): Promise<Found> {
  const fetch = (addresses: readonly Address[] | null) =>
    fetchLogs(
      chain,
      { from, to, topics: sweep.topics, thirdTopics: sweep.thirdTopics ?? null, addresses },
      limits,
      sweep.signal,
    )
  const all = known.size > (sweep.topicOnlyAbove ?? TOPIC_ONLY_ABOVE) ? await fetch(null) : null
  const logs: RawLog[] = []
  const discovered = new Set<Address>()
  for (let wanted: ReadonlySet<Address> = known; wanted.size > 0;) {
    const current = wanted
    const batch = all?.filter(({ address }) => current.has(address)) ?? (await fetch([...current]))
    logs.push(...batch)
    wanted = new Set(
      batch
        .flatMap((log) => sweep.discover?.(log) ?? [])
        .map(lower)
        .filter((address) => !known.has(address) && !discovered.has(address)),
    )
    for (const address of wanted) discovered.add(address)
  }
  const bloom = bloomFilter([...known, ...discovered], sweep.topics, sweep.thirdTopics)
  const sorted = logs.toSorted(byPosition)
  return { logs: sorted, blocks: byBlock(sorted), discovered, bloom }
}

async function readHeaders(reading: Reading, numbers: readonly bigint[], known: Headers): Promise<Headers> {
  const wanted = [...new Set(numbers)].filter((number) => !known.has(number))
  const headers = await inParallel(wanted, (number) => readHeader(reading.chain, number, reading.sweep.signal))
  return new Map([...known, ...headers.map((header) => [header.number, header] as const)])
}

function sameLogs(a: readonly RawLog[], b: readonly RawLog[]): boolean {
  return (
    a.length === b.length && a.every((log, at) => log.blockHash === b[at]?.blockHash && log.logIndex === b[at].logIndex)
  )
}

function numbersOf(from: bigint, to: bigint): bigint[] {
  return Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at))
}

const lower = (address: Address): Address => address.toLowerCase() as Address

function byBlock(logs: readonly RawLog[]): LogsByBlock {
  const groups = Map.groupBy(logs, ({ blockNumber }) => blockNumber)
  return new Map([...groups].map(([number, own]) => [BigInt(number), own]))
}

function byPosition(a: RawLog, b: RawLog): number {
  return Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex)
}
