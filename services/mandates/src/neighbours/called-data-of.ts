import { calledData } from '#books/rules/called-data.ts'
import type { ChainClient } from './chain-client.ts'
import { orNull } from './or-null.ts'

/**
 * Returns the calldata that the transaction of a call passed on through a vault; null while the chain does not answer, and
 * where the transaction does not show it. What it is for is readable without it.
 */
export async function calledDataOf(
  chainClient: Pick<ChainClient, 'readTransaction'>,
  txHash: string,
  call: Parameters<typeof calledData>[1],
): Promise<string | null> {
  const transaction = await orNull(chainClient.readTransaction(txHash))
  return transaction === null ? null : calledData(transaction, call)
}
