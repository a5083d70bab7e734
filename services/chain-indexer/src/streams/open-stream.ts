import { headNumber, readHeader, type Chain } from '@svc/chain'
import { workerTransaction } from '@svc/postgres'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import { mustBeReplaced, rewind } from './rewind-stream.ts'
import { findCursor, startCursor } from './store/cursors.ts'
import { storedAnchor, StreamStopped, type Position, type Stream } from './stream.ts'

/** A stream that may go on. */
export interface OpenedStream {
  readonly position: Position
  /** Newest block that may be ingested. */
  readonly safe: number
  readonly head: number
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
