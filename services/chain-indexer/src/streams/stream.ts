import { RpcInconsistent, type Anchor, type Chain } from '@svc/chain'
import { emitAll, workerTransaction, type Emission, type Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import {
  dropOldAnchors,
  lockCursor,
  moveCursor,
  putAnchors,
  type StoredAnchor,
  type StreamName,
} from './store/cursors.ts'
import { timeOf } from '#wire-values.ts'

/** Blocks whose hashes are kept at least, however long ago they were. */
const ANCHOR_BLOCKS_MIN = 256

/** Blocks so deep below the head are read by their logs alone: their headers are not worth a call each. */
export const DEEP_BLOCKS = 1_000

/** A stored position in the chain, and what to do when blocks behind it are replaced. */
export interface Stream {
  readonly name: StreamName
  /** Reads and counts only: nothing is written, and the position stays. */
  readonly dryRun: boolean
  /** First block, asked once. */
  startBlock(head: number): number
  /** Takes back the facts above a block; answers the events that say so. */
  takeBack(tx: Tx, chain: Chain, above: number): Promise<readonly Emission[]>
}

/** Where a stream goes on. */
export interface Position {
  readonly nextBlock: number
  /** The block before `nextBlock`; block 0 for a stream that begins there. */
  readonly anchor: { readonly number: number; readonly hash: string }
}

/** A stream stands still until an operator decides. */
export class StreamStopped extends Error {
  override readonly name = 'StreamStopped'
  readonly exitCode = 2
}

/** What a stream read: blocks up to `toBlock`, tied to what was read before by the hash of the block before them. */
export interface ReadBlocks {
  readonly toBlock: number
  readonly parentHash: string
  /** Rising; the last one is `toBlock`. */
  readonly anchors: readonly Anchor[]
}

/**
 * Stores what was read with the stream's new position and its events, all or nothing. Rejects with `RpcInconsistent`
 * when the blocks do not follow those stored before, with an outage when another instance moved the stream meanwhile.
 */
export async function commitBlocks(
  { pool, settings, clock }: Context,
  chain: Chain,
  stream: Stream,
  from: Position,
  read: ReadBlocks,
  write: (tx: Tx) => Promise<readonly Emission[]>,
): Promise<Position> {
  const last = read.anchors.at(-1)
  if (last === undefined || Number(last.number) !== read.toBlock) throw new Error('blocks come without their last hash')
  if (from.anchor.number === from.nextBlock - 1 && read.parentHash !== from.anchor.hash)
    throw new RpcInconsistent(`block ${from.nextBlock} does not follow the block that was read before`)
  const to: Position = { nextBlock: read.toBlock + 1, anchor: { number: read.toBlock, hash: last.hash } }
  if (stream.dryRun) return to
  const oldest = timeOf(last.timestamp - BigInt(settings.reorgWindowSeconds))
  await workerTransaction(pool, settings, async (tx) => {
    await mustLock(tx, chain, stream, from)
    const emissions = await write(tx)
    await putAnchors(tx, chain.id, stream.name, read.anchors.map(storedAnchor))
    await dropOldAnchors(tx, chain.id, stream.name, read.toBlock - ANCHOR_BLOCKS_MIN, oldest)
    await moveCursor(tx, chain.id, stream.name, to.nextBlock, to.anchor, clock.now())
    await emitAll(tx, emissions)
  })
  return to
}

/** Stores something that belongs to blocks behind the position, which stays. Rejects as `commitBlocks` does. */
export async function commitBehind(
  { pool, settings }: Context,
  chain: Chain,
  stream: Stream,
  position: Position,
  write: (tx: Tx) => Promise<readonly Emission[]>,
): Promise<void> {
  await workerTransaction(pool, settings, async (tx) => {
    await mustLock(tx, chain, stream, position)
    await emitAll(tx, await write(tx))
  })
}

/** Locks a stream's position for the rest of the transaction. Rejects with an outage when another instance moved it. */
export async function mustLock(tx: Tx, chain: Chain, { name }: Stream, from: Position): Promise<void> {
  const locked = await lockCursor(tx, chain.id, name, { nextBlock: from.nextBlock, hash: from.anchor.hash })
  if (!locked) throw new Outage('overtaken', `another instance moved ${name} meanwhile`)
}

/** A block's place as it is kept. */
export function storedAnchor({ number, hash, timestamp }: Pick<Anchor, 'number' | 'hash' | 'timestamp'>): StoredAnchor {
  return { number: Number(number), hash, time: timeOf(timestamp) }
}
