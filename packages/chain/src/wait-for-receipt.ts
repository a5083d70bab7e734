import { setTimeout as pause } from 'node:timers/promises'
import { TransactionReceiptNotFoundError, type Hex, type TransactionReceipt } from 'viem'
import type { Chain } from './chain.ts'

const POLL_MS = 20

/**
 * Returns the receipt of a transaction as soon as it is in a block. viem's wait checks only when a block arrives: on a chain
 * with a block per transaction it would miss a receipt that becomes readable a moment after its block. Rejects after
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
