import { decodeEvent, eventTopics, RpcInconsistent, sweepLogs, type Anchor, type Chain, type RawLog } from '@svc/chain'
import { pad, type Address, type Hex } from 'viem'
import type { Settings } from '#context.ts'
import type { FoundDeposit } from './store/deposits.ts'
import { addressOf, blockTimes } from '#wire-values.ts'

/** The transfers to watched addresses in consecutive blocks. */
export interface TransferChunk {
  readonly toBlock: number
  readonly parentHash: string
  readonly anchors: readonly Anchor[]
  readonly deposits: readonly FoundDeposit[]
}

/**
 * Nodes serve a block before they have indexed its logs: the headers of this many newest blocks are all read, because
 * their blooms reveal a transfer that was left out.
 */
const FRESH_BLOCKS = 64

/** Blocks that are read for transfers of USDC to addresses. */
export interface TransferSweep {
  readonly usdc: Address
  readonly from: number
  /** Inclusive. */
  readonly to: number
  readonly head: number
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
}

/** Number of watched addresses in one log call: the smaller of `HUB_DEPOSIT_ADDR_BATCH` and `HUB_GETLOGS_MAX_ADDRESSES`. */
export function addressesPerCall({ depositAddressBatch }: Settings, { logLimits }: Chain): number {
  return Math.min(depositAddressBatch, logLimits.addresses)
}

/**
 * Reads USDC transfers to the addresses, one log call for each batch of them. Each batch is checked separately, and all
 * must have seen the same blocks. Rejects as `sweepLogs` does.
 */
export async function* sweepTransfers(
  chain: Chain,
  settings: Settings,
  sweep: TransferSweep,
): AsyncGenerator<TransferChunk, void, undefined> {
  const { addresses } = sweep
  const span = Math.min(settings.chunkBlocks, chain.logLimits.span)
  const batch = addressesPerCall(settings, chain)
  const indexedTo = sweep.head - FRESH_BLOCKS
  for (let from = sweep.from; from <= sweep.to;) {
    const last = Math.min(sweep.to, from + span - 1)
    const blocks: Blocks =
      from > indexedTo
        ? { from, to: last, headers: 'every' }
        : { from, to: Math.min(last, indexedTo), headers: 'needed' }
    let whole: TransferChunk | null = null
    for (let at = 0; at === 0 || at < addresses.length; at += batch)
      whole = joined(whole, await readBatch(chain, sweep, blocks, addresses.slice(at, at + batch)))
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
  { usdc, signal }: TransferSweep,
  { from, to, headers }: Blocks,
  addresses: readonly string[],
): Promise<TransferChunk> {
  const chunks = sweepLogs(chain, {
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
    topics: eventTopics('usdc', ['Transfer']),
    // Without addresses the blocks are read for their hashes alone.
    addresses: addresses.length === 0 ? [] : [usdc],
    thirdTopics: addresses.map((address) => pad(address.toLowerCase() as Hex)),
    headers,
    // Deposits are few, and no other reading would reveal a wrong amount.
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
    else throw new RpcInconsistent(`block ${to} does not follow the blocks read before it`)
  }
  if (whole === null) throw new RangeError(`blocks ${from} to ${to} are not a range`)
  return whole
}

/** Joins two readings of the same blocks for different addresses. */
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
