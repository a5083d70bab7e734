import {
  findHeader,
  headNumber,
  lastCanonical,
  mustServeChain,
  readHeader,
  RpcInconsistent,
  type Anchor,
  type BlockHeader,
  type Chain,
} from '@svc/chain'
import { SettingError } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { emit, emitAll, workerTransaction, type Emission, type Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import type { Context } from './context.ts'
import { timeOf } from './wire.ts'
import {
  anchorsOf,
  dropAnchorsAbove,
  dropOldAnchors,
  findCursor,
  lockCursor,
  moveCursor,
  putAnchors,
  restartCursor,
  startCursor,
  stopCursor,
  type StoredAnchor,
  type StreamName,
} from './store/cursors.ts'

/** Blocks whose hashes are kept at least, however long ago they were. */
const ANCHOR_BLOCKS_MIN = 256

/** Blocks so far behind the head are read by their logs alone: their headers are not worth a call each. */
export const SETTLED_BLOCKS = 1_000

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

/** A stream that may go on. */
export interface OpenedStream {
  readonly position: Position
  /** Newest block that may be ingested. */
  readonly safe: number
  readonly head: number
}

/** A stream stands still until an operator decides. */
export class StreamStopped extends Error {
  override readonly name = 'StreamStopped'
  readonly exitCode = 2
}

/**
 * Finds where a stream goes on, after making sure that the block it stands on is still in the chain. When it is not,
 * everything after the newest block that is still there is taken back first. Rejects with `StreamStopped` when the
 * reorganisation is deeper than the kept hashes, with an outage when the RPC is away, lags or contradicts itself.
 */
export async function openStream(
  context: Context,
  chain: Chain,
  stream: Stream,
  signal: AbortSignal,
): Promise<OpenedStream> {
  const head = Number(await headNumber(chain, signal))
  const safe = Math.max(0, head - chain.confirmations)
  const position = await positionOf(context, chain, stream, head, signal)
  const { anchor } = position
  if (head < anchor.number)
    throw new Outage('chain_behind', `the RPC's head ${head} is behind block ${anchor.number}, which was read before`)
  const present = await readHeader(chain, BigInt(anchor.number), signal)
  if (present.hash === anchor.hash) return { position, safe, head }
  await mustBeReplaced(chain, anchor, present, head, signal)
  return { position: await rewind(context, chain, stream, position, head, signal), safe, head }
}

async function positionOf(
  { pool, settings, clock }: Context,
  chain: Chain,
  stream: Stream,
  head: number,
  signal: AbortSignal,
): Promise<Position> {
  let cursor = await findCursor(pool, chain.id, stream.name)
  if (cursor === null) {
    const nextBlock = stream.startBlock(head)
    if (nextBlock > head + 1)
      throw new Outage('chain_behind', `${stream.name} begins at block ${nextBlock}, and the RPC's head is ${head}`)
    const header = await readHeader(chain, BigInt(Math.max(0, nextBlock - 1)), signal)
    if (stream.dryRun) return { nextBlock, anchor: { number: Number(header.number), hash: header.hash } }
    await workerTransaction(pool, settings, (tx) =>
      startCursor(tx, chain.id, stream.name, nextBlock, storedAnchor(header), clock.now()),
    )
    cursor = await findCursor(pool, chain.id, stream.name)
  }
  if (cursor === null) throw new Outage('cursor', `${stream.name} has no position`)
  if (cursor.stopped !== null) throw new StreamStopped(`${stream.name} stands still: ${cursor.stopped}`)
  return { nextBlock: cursor.next_block, anchor: { number: cursor.anchor_number, hash: cursor.anchor_hash } }
}

/**
 * Throws unless `present` took the place of a block that was read before: the RPC still serves this chain, and the block
 * after it names `present` as its parent. One odd answer proves nothing.
 */
export async function mustBeReplaced(
  chain: Chain,
  before: { readonly hash: string },
  present: BlockHeader,
  head: number,
  signal: AbortSignal,
): Promise<void> {
  await mustServeChain(chain, signal)
  if (present.hash === before.hash)
    throw new RpcInconsistent(`block ${present.number} is there now, and was not when it was read a moment ago`)
  if (Number(present.number) >= head) return
  const next = await findHeader(chain, present.number + 1n, signal)
  if (next?.parentHash !== present.hash)
    throw new RpcInconsistent(`block ${present.number} has another hash than the block after it says`)
}

async function rewind(
  context: Context,
  chain: Chain,
  stream: Stream,
  from: Position,
  head: number,
  signal: AbortSignal,
): Promise<Position> {
  const { pool, settings, clock, log } = context
  const anchors = await anchorsOf(pool, chain.id, stream.name)
  const good = await lastCanonical(chain, anchors, signal)
  // A node that lags behind the one before it has no such block, which must not be taken for a replaced one.
  const firstBad = anchors.find(({ number }) => good === null || number > good.number)
  if (firstBad !== undefined)
    await mustBeReplaced(chain, firstBad, await readHeader(chain, firstBad.number, signal), head, signal)
  if (good === null) {
    const reason = `a reorganisation goes deeper than the ${anchors.length} kept block hashes, below block ${anchors[0]?.number ?? from.anchor.number}`
    if (!stream.dryRun)
      await workerTransaction(pool, settings, async (tx) => {
        if (await stopCursor(tx, chain.id, stream.name, reason, clock.now()))
          await emit(tx, chainIndexer.events.streamStopped, {
            chain_id: chain.id,
            stream: stream.name,
            reason,
            next_block: String(from.nextBlock),
          })
      })
    throw new StreamStopped(`${stream.name} stands still: ${reason}`)
  }
  const ancestor = { number: Number(good.number), hash: good.hash }
  const to: Position = { nextBlock: ancestor.number + 1, anchor: ancestor }
  if (stream.dryRun) return to
  const orphaned = await workerTransaction(pool, settings, async (tx) => {
    await mustLock(tx, chain, stream, from)
    return takeBackTo(tx, context, chain, stream, ancestor)
  })
  log.warn({ stream: stream.name, ancestor: ancestor.number, was: from.anchor.number, orphaned }, 'chain reorganised')
  return to
}

/** Takes back everything above a block, says so, and lets the stream go on behind it. Answers how many facts went. */
async function takeBackTo(
  tx: Tx,
  { clock }: Context,
  chain: Chain,
  stream: Stream,
  ancestor: Position['anchor'],
): Promise<number> {
  const taken = await stream.takeBack(tx, chain, ancestor.number)
  await emitAll(tx, taken)
  await emit(tx, chainIndexer.events.chainReorganised, {
    chain_id: chain.id,
    stream: stream.name,
    ancestor_number: ancestor.number,
    ancestor_hash: ancestor.hash,
    orphaned: taken.length,
  })
  await dropAnchorsAbove(tx, chain.id, stream.name, ancestor.number)
  await moveCursor(tx, chain.id, stream.name, ancestor.number + 1, ancestor, clock.now())
  return taken.length
}

/**
 * Takes a stream back to a block that an operator names, whatever it stands on, and lets it go on from there, also when
 * it had stopped. Answers how many facts were taken back. Rejects with `SettingError` for a block ahead of the stream.
 */
export async function rewindTo(context: Context, chain: Chain, stream: Stream, block: number): Promise<number> {
  const { pool, settings } = context
  const header = await readHeader(chain, BigInt(block))
  return workerTransaction(pool, settings, async (tx) => {
    const cursor = await findCursor(tx, chain.id, stream.name)
    if (cursor === null || block >= cursor.next_block)
      throw new SettingError(`${stream.name} has not come to block ${block}: there is nothing to take back.`)
    await restartCursor(tx, chain.id, stream.name)
    const taken = await takeBackTo(tx, context, chain, stream, { number: block, hash: header.hash })
    await putAnchors(tx, chain.id, stream.name, [storedAnchor(header)])
    return taken
  })
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

async function mustLock(tx: Tx, chain: Chain, { name }: Stream, from: Position): Promise<void> {
  const locked = await lockCursor(tx, chain.id, name, { nextBlock: from.nextBlock, hash: from.anchor.hash })
  if (!locked) throw new Outage('overtaken', `another instance moved ${name} meanwhile`)
}

function storedAnchor({ number, hash, timestamp }: Pick<Anchor, 'number' | 'hash' | 'timestamp'>): StoredAnchor {
  return { number: Number(number), hash, time: timeOf(timestamp) }
}
