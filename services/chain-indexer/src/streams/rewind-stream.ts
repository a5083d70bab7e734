import {
  findHeader,
  lastCanonical,
  mustServeChain,
  readHeader,
  RpcInconsistent,
  type BlockHeader,
  type Chain,
} from '@svc/chain'
import { SettingError } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { emit, emitAll, workerTransaction, type Tx } from '@svc/postgres'
import type { Context } from '#context.ts'
import {
  anchorsOf,
  dropAnchorsAbove,
  findCursor,
  moveCursor,
  putAnchors,
  restartCursor,
  stopCursor,
} from './store/cursors.ts'
import { lockPosition, storedAnchor, StreamStopped, type Position, type Stream } from './stream.ts'

const { chainReorganised, streamStopped } = chainIndexer.events

/**
 * Takes back everything after the newest kept block that is still in the chain and returns the new position. Rejects with
 * `StreamStopped` if no kept block is still there, and with an outage if the RPC lags or contradicts itself.
 */
export async function rewind(
  context: Context,
  stream: Stream,
  from: Position,
  head: number,
  signal: AbortSignal,
): Promise<Position> {
  const { pool, settings, log } = context
  const { chain, name } = stream
  const anchors = await anchorsOf(pool, chain.id, name)
  const good = await lastCanonical(chain, anchors, signal)
  // A node that lags behind the one before it lacks these blocks, which must not count as replaced.
  const firstBad = anchors.find(({ number }) => good === null || number > good.number)
  if (firstBad !== undefined)
    await mustBeReplaced(chain, firstBad, await readHeader(chain, firstBad.number, signal), head, signal)
  if (good === null) {
    const reason = `a reorganisation goes deeper than the ${anchors.length} kept block hashes, below block ${anchors[0]?.number ?? from.anchor.number}`
    if (!stream.dryRun) await stop(context, stream, from, reason)
    throw new StreamStopped(`${name} is stopped: ${reason}`)
  }
  const ancestor = { number: Number(good.number), hash: good.hash }
  const to: Position = { nextBlock: ancestor.number + 1, anchor: ancestor }
  if (stream.dryRun) return to
  const orphaned = await workerTransaction(pool, settings, async (tx) => {
    await lockPosition(tx, stream, from)
    return takeBackTo(tx, context, stream, ancestor)
  })
  log.warn({ stream: name, ancestor: ancestor.number, was: from.anchor.number, orphaned }, 'chain reorganised')
  return to
}

async function stop(
  { pool, settings, clock }: Context,
  { chain, name }: Stream,
  from: Position,
  reason: string,
): Promise<void> {
  await workerTransaction(pool, settings, async (tx) => {
    if (!(await stopCursor(tx, chain.id, name, reason, clock.now()))) return
    await emit(tx, streamStopped, { chain_id: chain.id, stream: name, reason, next_block: String(from.nextBlock) })
  })
}

/** Takes back everything above a block, announces it, and moves the stream there. Returns the number of facts taken back. */
async function takeBackTo(tx: Tx, { clock }: Context, stream: Stream, ancestor: Position['anchor']): Promise<number> {
  const { chain, name } = stream
  const taken = await stream.takeBack(tx, ancestor.number)
  await emitAll(tx, taken)
  await emit(tx, chainReorganised, {
    chain_id: chain.id,
    stream: name,
    ancestor_number: ancestor.number,
    ancestor_hash: ancestor.hash,
    orphaned: taken.length,
  })
  await dropAnchorsAbove(tx, chain.id, name, ancestor.number)
  const position = { chainId: chain.id, stream: name, nextBlock: ancestor.number + 1, anchor: ancestor }
  await moveCursor(tx, position, clock.now())
  return taken.length
}

/**
 * Takes a stream back to a block that an operator names, without checking its position, and lets it continue from there
 * even if it was stopped. Returns the number of facts taken back. Rejects with `SettingError` for a block ahead of the
 * stream.
 */
export async function rewindTo(context: Context, stream: Stream, block: number): Promise<number> {
  const { pool, settings } = context
  const { chain, name } = stream
  const header = await readHeader(chain, BigInt(block))
  return workerTransaction(pool, settings, async (tx) => {
    const cursor = await findCursor(tx, chain.id, name)
    if (cursor === null || block >= cursor.next_block)
      throw new SettingError(`${name} has not reached block ${block}: there is nothing to take back.`)
    await restartCursor(tx, chain.id, name)
    const taken = await takeBackTo(tx, context, stream, { number: block, hash: header.hash })
    await putAnchors(tx, chain.id, name, [storedAnchor(header)])
    return taken
  })
}

/**
 * Rejects unless `present` has replaced a block that was read before: the RPC still serves this chain, and the next block
 * names `present` as its parent. A single inconsistent answer proves nothing.
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
    throw new RpcInconsistent(`block ${present.number} is in the chain now, and was missing a moment ago`)
  if (Number(present.number) >= head) return
  const next = await findHeader(chain, present.number + 1n, signal)
  if (next?.parentHash !== present.hash)
    throw new RpcInconsistent(`block ${present.number} is not the parent that the next block names`)
}
