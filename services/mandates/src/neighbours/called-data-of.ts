import { calledData } from '#books/rules/called-data.ts'
import type { ChainClient } from './chain-client.ts'
import { orNull } from './or-null.ts'

/** The longest time that an event of the chain waits for its calldata: books and alerts come first. */
const WAIT_MS = 2_500

/**
 * Returns the calldata that the transaction of a call passed on through a vault; null while the chain does not answer, and
 * where the transaction does not show it. An entry of the record is readable without it.
 */
export async function calledDataOf(
  chainClient: Pick<ChainClient, 'readTransaction'>,
  txHash: string,
  call: Parameters<typeof calledData>[1],
): Promise<string | null> {
  const transaction = await orNull(chainClient.readTransaction(txHash, Date.now() + WAIT_MS))
  return transaction === null ? null : calledData(transaction, call)
}
