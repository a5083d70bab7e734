import { headNumber, lookUpTransaction, readHeader, RpcInconsistent, type Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { emit, workerTransaction } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Hex } from 'viem'
import type { Context } from '#context.ts'
import {
  putNotified,
  transactionsToCheck,
  type NotifiedTransaction,
  type WatchedTransaction,
} from '../store/watched-transactions.ts'
import { mustBeReplaced } from '#streams/rewind-stream.ts'
import { addressOf, timeOf } from '#wire-values.ts'

const { transactionConfirmed } = chainIndexer.events

/** Checks each watched transaction for as long as a reorganisation may move it, and notifies consumers of changes. */
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
      const now = await findConfirmed(chain, watched, signal)
      if (now === 'unclear') continue
      done += await notify(context, chain, watched, now)
    }
    return { done }
  }

/** Returns the transaction if it is confirmed, null if it is not, and `unclear` if the RPC's answers prove neither. */
async function findConfirmed(
  chain: Chain,
  { tx_hash, told_block_hash, told }: WatchedTransaction,
  signal: AbortSignal,
): Promise<NotifiedTransaction | null | 'unclear'> {
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
    // A false receipt, or a reorganisation during the check, proves nothing; other transactions must not wait for this one.
    if (error instanceof RpcInconsistent) return 'unclear'
    throw error
  }
}

/**
 * Returns whether the block of the last notification was replaced. While it is in the chain, a node that does not know the
 * transaction, or too few blocks after it, merely lags.
 */
async function isGone(chain: Chain, number: number, hash: string, signal: AbortSignal): Promise<boolean> {
  const present = await readHeader(chain, BigInt(number), signal)
  if (present.hash === hash) return false
  await mustBeReplaced(chain, { hash }, present, Number(await headNumber(chain, signal)), signal)
  return true
}

/** Returns 1 if there was a change to notify, otherwise 0. */
async function notify(
  { pool, settings, clock }: Context,
  chain: Chain,
  before: WatchedTransaction,
  now: NotifiedTransaction | null,
): Promise<number> {
  return workerTransaction(pool, settings, async (tx) => {
    const revision = await putNotified(tx, chain.id, before, now, clock.now())
    const payload = now ?? before.told
    if (revision === null || payload === null) return 0
    await emit(tx, transactionConfirmed, { ...payload, revision, canonical: now !== null })
    return 1
  })
}
