import { headNumber, lookUpTransaction, readHeader, RpcInconsistent, type Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { emit, workerTransaction } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Hex } from 'viem'
import type { Context } from '#context.ts'
import {
  putTold,
  transactionsToCheck,
  type ToldTransaction,
  type WatchedTransaction,
} from '../store/watched-transactions.ts'
import { mustBeReplaced } from '#streams/rewind-stream.ts'
import { addressOf, timeOf } from '#wire-values.ts'

const { transactionConfirmed } = chainIndexer.events

/** Looks at each watched transaction for as long as a reorganisation may move it, and says where it is. */
export const transactionWatch =
  (context: Context): Job =>
  async (signal) => {
    const { chain, pool, settings, clock } = context
    if (chain === null) return { done: 0 }
    const after = new Date(clock.now().getTime() - settings.reorgWindowSeconds * 1000)
    const due = await transactionsToCheck(pool, chain.id, after, chainIndexer.jobs.transactionWatch.max)
    let done = 0
    for (const watched of due) {
      if (signal.aborted) break
      const now = await confirmedPlace(chain, watched, signal)
      if (now === 'unclear') continue
      done += await tell(context, chain, watched, now)
    }
    return { done }
  }

async function confirmedPlace(
  chain: Chain,
  { tx_hash, told_block_hash, told }: WatchedTransaction,
  signal: AbortSignal,
): Promise<ToldTransaction | null | 'unclear'> {
  try {
    const found = await lookUpTransaction(chain, tx_hash as Hex, signal)
    if (found.state !== 'mined' || !found.confirmed) {
      if (told === null || told_block_hash === null) return null
      return (await isGone(chain, told.block_number, told_block_hash, signal)) ? null : 'unclear'
    }
    const { receipt, timestamp } = found
    return {
      chain_id: chain.id,
      tx_hash,
      block_number: Number(receipt.blockNumber),
      block_hash: receipt.blockHash,
      block_time: timeOf(timestamp),
      from: addressOf(receipt.from),
      to: receipt.to === null ? null : addressOf(receipt.to),
      status: receipt.status,
    }
  } catch (error) {
    // A receipt that lies, or blocks that move right now, say nothing; the others must not wait for it.
    if (error instanceof RpcInconsistent) return 'unclear'
    throw error
  }
}

/**
 * Whether the block in which a transaction was told is gone. While it is in the chain, a node that knows nothing of the
 * transaction, or not enough blocks after it, lags behind the one that was asked before.
 */
async function isGone(chain: Chain, number: number, hash: string, signal: AbortSignal): Promise<boolean> {
  const present = await readHeader(chain, BigInt(number), signal)
  if (present.hash === hash) return false
  await mustBeReplaced(chain, { hash }, present, Number(await headNumber(chain, signal)), signal)
  return true
}

/** Answers 1 when there was something new to say. */
async function tell(
  { pool, settings, clock }: Context,
  chain: Chain,
  before: WatchedTransaction,
  now: ToldTransaction | null,
): Promise<number> {
  return workerTransaction(pool, settings, async (tx) => {
    const revision = await putTold(tx, chain.id, before, now, clock.now())
    const said = now ?? before.told
    if (revision === null || said === null) return 0
    await emit(tx, transactionConfirmed, { ...said, revision, canonical: now !== null })
    return 1
  })
}
