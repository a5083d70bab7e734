import { headNumber, readHeader } from '@svc/chain'
import { workerTransaction } from '@svc/postgres'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import { mustBeReplaced, rewind } from './rewind-stream.ts'
import { recordClockSkew } from './clock-skew.ts'
import { findCursor, startCursor } from './store/cursors.ts'
import { forgetHead, recordStream } from './stream-metrics.ts'
import { storedAnchor, StreamStopped, type Position, type Stream } from './stream.ts'

/** Blocks behind the newest readable one from which a reader says how old the chain is. */
const NEAR_BLOCKS = 30

/** A stream that may continue. */
export interface OpenedStream {
  readonly stream: Stream
  readonly position: Position
  /** Newest block that may be ingested. */
  readonly safe: number
  readonly head: number
}

/**
 * Returns where a stream continues, after verifying that the block at its position is still in the chain. If it is not,
 * takes back everything after the newest kept block that is still there. Rejects with `StreamStopped` if the
 * reorganisation is deeper than the kept hashes, and with an outage if the RPC is unavailable, lags or contradicts itself.
 */
export async function openStream(context: Context, stream: Stream, signal: AbortSignal): Promise<OpenedStream> {
  const { chain } = stream
  const head = Number(
    await headNumber(chain, signal).catch((error: unknown) => {
      forgetHead(stream.name)
      throw error
    }),
  )
  const safe = Math.max(0, head - chain.confirmations)
  const position = await positionOf(context, stream, head, signal)
  const { anchor } = position
  // A reader that runs dry stores no position: it neither moves nor lags.
  if (!stream.dryRun) recordStream(stream.name, position.nextBlock, head)
  if (head < anchor.number)
    throw new Outage('chain_behind', `the RPC's head ${head} is behind block ${anchor.number}, which was read before`)
  const present = await readHeader(chain, BigInt(anchor.number), signal)
  // A reader that has nearly caught up sees whether the chain produces blocks.
  if (safe - anchor.number <= NEAR_BLOCKS) recordClockSkew(present.timestamp, context.clock.now())
  if (present.hash === anchor.hash) return { stream, position, safe, head }
  await mustBeReplaced(chain, anchor, present, head, signal)
  return { stream, position: await rewind(context, stream, position, head, signal), safe, head }
}

async function positionOf(
  { pool, settings, clock }: Context,
  stream: Stream,
  head: number,
  signal: AbortSignal,
): Promise<Position> {
  const { chain, name } = stream
  let cursor = await findCursor(pool, chain.id, name)
  if (cursor === null) {
    const nextBlock = stream.startBlock(head)
    if (nextBlock > head + 1)
      throw new Outage('chain_behind', `${name} begins at block ${nextBlock}, and the RPC's head is ${head}`)
    const header = await readHeader(chain, BigInt(Math.max(0, nextBlock - 1)), signal)
    if (stream.dryRun) return { nextBlock, anchor: { number: Number(header.number), hash: header.hash } }
    await workerTransaction(pool, settings, (tx) =>
      startCursor(tx, { chainId: chain.id, stream: name, nextBlock, anchor: storedAnchor(header) }, clock.now()),
    )
    cursor = await findCursor(pool, chain.id, name)
  }
  if (cursor === null) throw new Outage('cursor', `${name} has no position`)
  if (cursor.stopped !== null) throw new StreamStopped(`${name} is stopped: ${cursor.stopped}`)
  return { nextBlock: cursor.next_block, anchor: { number: cursor.anchor_number, hash: cursor.anchor_hash } }
}
