import { decodeEvent, eventTopics, RpcInconsistent, sweepLogs, type Anchor, type Chain, type RawLog } from '@svc/chain'
import { pad, type Address, type Hex } from 'viem'
import type { Settings } from '#context.ts'
import type { FoundDeposit } from './store/deposits.ts'
import { addressOf, blockTimes } from '#wire-values.ts'

/** Transfers to watched addresses in a range of blocks. */
export interface TransferChunk {
  readonly toBlock: number
  readonly parentHash: string
  readonly anchors: readonly Anchor[]
  readonly deposits: readonly FoundDeposit[]
}

/**
 * Nodes serve a block before they have indexed its logs: the headers of blocks this new are all read, so that their
 * blooms tell of a transfer that was left out.
 */
const FRESH_BLOCKS = 64

/** Blocks that are read for transfers. */
export interface TransferRange {
  readonly from: number
  /** Inclusive. */
  readonly to: number
  readonly head: number
}

/** Watched addresses that one log call names: `HUB_DEPOSIT_ADDR_BATCH` or `HUB_GETLOGS_MAX_ADDRESSES`, the smaller. */
export function addressesPerCall({ depositAddressBatch }: Settings, { logLimits }: Chain): number {
  return Math.min(depositAddressBatch, logLimits.addresses)
}

/**
 * Reads USDC transfers to the addresses, a batch of addresses a log call. Each batch is checked by itself, and all must
 * have seen the same blocks. Rejects as `sweepLogs` does.
 */
export async function* sweepTransfers(
  chain: Chain,
  usdc: Address,
  settings: Settings,
  range: TransferRange,
  addresses: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<TransferChunk, void, undefined> {
  const span = Math.min(settings.chunkBlocks, chain.logLimits.span)
  const batch = addressesPerCall(settings, chain)
  const indexedTo = range.head - FRESH_BLOCKS
  for (let from = range.from; from <= range.to;) {
    const last = Math.min(range.to, from + span - 1)
    const blocks: Blocks =
      from > indexedTo
        ? { from, to: last, headers: 'every' }
        : { from, to: Math.min(last, indexedTo), headers: 'needed' }
    let whole: TransferChunk | null = null
    for (let at = 0; at === 0 || at < addresses.length; at += batch)
      whole = joined(whole, await readBatch(chain, usdc, blocks, addresses.slice(at, at + batch), signal))
    if (whole !== null) yield whole
    from = blocks.to + 1
  }
}

interface Blocks {
  readonly from: number
  readonly to: number
  readonly headers: 'every' | 'needed'
}

async function readBatch(
  chain: Chain,
  usdc: Address,
  { from, to, headers }: Blocks,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<TransferChunk> {
  const chunks = sweepLogs(chain, {
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
    topics: eventTopics('usdc', ['Transfer']),
    // Nothing to look for: the blocks are read for their hashes alone.
    addresses: addresses.length === 0 ? [] : [usdc],
    thirdTopics: addresses.map((address) => pad(address.toLowerCase() as Hex)),
    headers,
    // Deposits are few, and nothing else would contradict a wrong amount.
    provenFrom: 0n,
    signal,
  })
  let whole: TransferChunk | null = null
  for await (const { toBlock, parentHash, anchors, logs } of chunks) {
    const read = { toBlock: Number(toBlock), parentHash, anchors, deposits: depositsOf(chain, logs, anchors) }
    if (whole === null) whole = read
    else if (parentHash === whole.anchors.at(-1)?.hash)
      whole = {
        ...read,
        parentHash: whole.parentHash,
        anchors: [...whole.anchors, ...anchors],
        deposits: [...whole.deposits, ...read.deposits],
      }
    else throw new RpcInconsistent(`block ${to} does not follow what was read before it`)
  }
  if (whole === null) throw new RangeError(`blocks ${from} to ${to} are no range`)
  return whole
}

/** Two readings of the same blocks for different addresses. */
function joined(one: TransferChunk | null, other: TransferChunk): TransferChunk {
  if (one === null) return other
  const hashes = new Map(one.anchors.map(({ number, hash }) => [number, hash]))
  const same =
    one.parentHash === other.parentHash &&
    other.anchors.every(({ number, hash }) => (hashes.get(number) ?? hash) === hash)
  if (!same) throw new RpcInconsistent(`blocks up to ${one.toBlock} changed while they were read`)
  const anchors = [...one.anchors, ...other.anchors.filter(({ number }) => !hashes.has(number))]
  return {
    ...one,
    anchors: anchors.toSorted((a, b) => Number(a.number - b.number)),
    deposits: [...one.deposits, ...other.deposits],
  }
}

function depositsOf(chain: Chain, logs: readonly RawLog[], anchors: readonly Anchor[]): FoundDeposit[] {
  const timeOfBlock = blockTimes(anchors)
  const ordinals = new Map<string, number>()
  return logs.flatMap((log): FoundDeposit[] => {
    const event = decodeEvent('usdc', log)
    if (event?.name !== 'Transfer') return []
    const address = addressOf(event.args.to)
    const place = `${log.transactionHash}:${address}`
    const ordinal = ordinals.get(place) ?? 0
    ordinals.set(place, ordinal + 1)
    const number = Number(log.blockNumber)
    return [
      {
        chain_id: chain.id,
        tx_hash: log.transactionHash,
        address,
        transfer_ordinal: ordinal,
        from: addressOf(event.args.from),
        asset: addressOf(log.address),
        amount: String(event.args.value),
        block_number: number,
        block_hash: log.blockHash,
        block_time: timeOfBlock(number),
      },
    ]
  })
}
