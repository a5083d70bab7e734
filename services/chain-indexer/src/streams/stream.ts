import { RpcInconsistent, type Anchor, type Chain } from '@svc/chain'
import { emitAll, workerTransaction, type Emission, type Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import { timeOf } from '#wire-values.ts'
import {
  dropOldAnchors,
  lockCursor,
  moveCursor,
  putAnchors,
  type StoredAnchor,
  type StreamName,
} from './store/cursors.ts'

/** Minimum number of blocks whose hashes are kept, regardless of their age. */
const ANCHOR_BLOCKS_MIN = 256

/** Blocks at least this deep below the head are read by their logs alone: reading every header would cost a call each. */
export const DEEP_BLOCKS = 1_000

/** A stored position in the chain, and what to do when blocks behind it are replaced. */
export interface Stream {
  readonly name: StreamName
  readonly chain: Chain
  /** True: only reads and counts; nothing is written, and the position stays. */
  readonly dryRun: boolean
  /** Returns the first block to read; called once. */
  startBlock(head: number): number
  /** Takes back the facts above a block and returns the events that announce it. */
  takeBack(tx: Tx, above: number): Promise<readonly Emission[]>
}

/** Where a stream continues. */
export interface Position {
  readonly nextBlock: number
  /** The block before `nextBlock`; block 0 for a stream that begins there. */
  readonly anchor: { readonly number: number; readonly hash: string }
}

/** The stream is stopped until an operator decides. */
export class StreamStopped extends Error {
  override readonly name = 'StreamStopped'
  readonly exitCode = 2
}

/** Blocks up to `toBlock`, linked to the blocks read before them by the hash of their parent. */
export interface ReadBlocks {
  readonly toBlock: number
  readonly parentHash: string
  /** In rising order; the last anchor is `toBlock`. */
  readonly anchors: readonly Anchor[]
}

/**
 * Stores what was read together with the stream's new position and its events, all or nothing, and returns the new
 * position. Rejects with `RpcInconsistent` if the blocks do not follow the stored ones, and with an outage if another
 * instance has moved the stream.
 */
export async function commitBlocks(
  { pool, settings, clock }: Context,
  stream: Stream,
  from: Position,
  read: ReadBlocks,
  write: (tx: Tx) => Promise<readonly Emission[]>,
): Promise<Position> {
  const { chain, name } = stream
  const last = read.anchors.at(-1)
  if (last === undefined || Number(last.number) !== read.toBlock)
    throw new Error('the hash of the last block is missing')
  if (from.anchor.number === from.nextBlock - 1 && read.parentHash !== from.anchor.hash)
    throw new RpcInconsistent(`block ${from.nextBlock} does not follow the block that was read before`)
  const to: Position = { nextBlock: read.toBlock + 1, anchor: { number: read.toBlock, hash: last.hash } }
  if (stream.dryRun) return to
  const oldest = timeOf(last.timestamp - BigInt(settings.reorgWindowSeconds))
  await workerTransaction(pool, settings, async (tx) => {
    await lockPosition(tx, stream, from)
    const emissions = await write(tx)
    await putAnchors(tx, chain.id, name, read.anchors.map(storedAnchor))
    await dropOldAnchors(tx, chain.id, name, read.toBlock - ANCHOR_BLOCKS_MIN, oldest)
    await moveCursor(tx, { chainId: chain.id, stream: name, ...to }, clock.now())
    await emitAll(tx, emissions)
  })
  return to
}

/** Stores facts of blocks behind the position, which stays. Rejects as `commitBlocks` does. */
export async function commitBehind(
  { pool, settings }: Context,
  stream: Stream,
  position: Position,
  write: (tx: Tx) => Promise<readonly Emission[]>,
): Promise<void> {
  await workerTransaction(pool, settings, async (tx) => {
    await lockPosition(tx, stream, position)
    await emitAll(tx, await write(tx))
  })
}

/** Locks a stream's position until the transaction ends. Rejects with an outage if another instance has moved it. */
export async function lockPosition(tx: Tx, { name, chain }: Stream, from: Position): Promise<void> {
  const locked = await lockCursor(tx, chain.id, name, { nextBlock: from.nextBlock, hash: from.anchor.hash })
  if (!locked) throw new Outage('overtaken', `another instance has moved ${name}`)
}

/** Converts a block's number, hash and time to their stored form. */
export function storedAnchor({ number, hash, timestamp }: Pick<Anchor, 'number' | 'hash' | 'timestamp'>): StoredAnchor {
  return { number: Number(number), hash, time: timeOf(timestamp) }
}
