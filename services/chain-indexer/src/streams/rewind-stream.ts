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
import { mustLock, storedAnchor, StreamStopped, type Position, type Stream } from './stream.ts'

/**
 * Takes back everything after the newest kept block that is still in the chain. Rejects with `StreamStopped` when none
 * is, with an outage when the RPC lags or contradicts itself.
 */
export async function rewind(
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
