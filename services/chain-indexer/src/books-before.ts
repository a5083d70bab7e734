import type { VaultBooks } from '@svc/contracts/chain-indexer-facts'
import type { Db } from '@svc/postgres'
import { foldLogs } from './domain/fold-books.ts'
import { logsToFold } from './store/logs.ts'

/** Books of a vault before a transaction, from the stored logs before it; null when they are not known there. */
export async function booksBefore(
  db: Db,
  chainId: number,
  vault: string,
  before: { readonly block: number; readonly txIndex: number },
): Promise<VaultBooks | null> {
  const folded = foldLogs(await logsToFold(db, chainId, [vault], before))
  return folded === null || folded.differs.length > 0 ? null : folded.books
}
