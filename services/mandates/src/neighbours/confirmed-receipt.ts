import { refuse } from '@svc/contract'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import type { Call } from '@svc/service'
import type { Context } from '#context.ts'
import {
  chainNotConfigured,
  transactionReverted,
  transactionUnconfirmed,
  transactionUnknown,
} from '@svc/contracts/mandates/refusals'

/**
 * Returns a transaction that was mined, succeeded and has enough confirmations; refuses any other with its reason. Must be
 * awaited before the call's transaction begins, so that a slow chain holds neither a lock nor a connection.
 */
export async function confirmedReceipt(
  context: Context,
  txHash: string,
  { deadline }: Call,
): Promise<ChainTransaction> {
  const needed = context.settings.confirmations
  const transaction = await context.chainClient.readTransaction(txHash, deadline)
  if (transaction === null) refuse(chainNotConfigured)
  if (transaction.state === 'unknown') refuse(transactionUnknown)
  if (transaction.state === 'pending' || !transaction.confirmed)
    refuse(transactionUnconfirmed, undefined, { confirmations: transaction.confirmations ?? 0, needed })
  if (transaction.status !== 'success') refuse(transactionReverted)
  return transaction
}
