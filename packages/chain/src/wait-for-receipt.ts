import { setTimeout as pause } from 'node:timers/promises'
import { TransactionReceiptNotFoundError, type Hex, type TransactionReceipt } from 'viem'
import type { Chain } from './chain.ts'

const POLL_MS = 20

/**
 * The receipt of a transaction as soon as a block holds it. viem's wait looks again only when a block comes: where each
 * transaction makes a block, a receipt that can be read a moment after its block would never be seen. Rejects after
 * `timeoutMs`, and with the RPC's errors.
 */
export async function waitForReceipt({ client }: Chain, hash: Hex, timeoutMs = 30_000): Promise<TransactionReceipt> {
  const until = Date.now() + timeoutMs
  while (Date.now() < until) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    }
    await pause(POLL_MS)
  }
  throw new Error(`transaction ${hash} is in no block after ${timeoutMs} ms`)
}
