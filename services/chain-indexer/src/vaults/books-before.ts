import type { VaultState } from '@svc/limits'
import type { Db } from '@svc/postgres'
import { foldLogs } from './rules/fold-books.ts'
import { logsToFold } from './store/logs.ts'

/** Returns the books of a vault before a transaction, folded from the stored logs; null if they are not known there. */
export async function booksBefore(
  db: Db,
  chainId: number,
  vault: string,
  before: { readonly block: number; readonly txIndex: number },
): Promise<VaultState | null> {
  const folded = foldLogs(await logsToFold(db, chainId, [vault], before))
  return folded === null || folded.differs.length > 0 ? null : folded.vault
}
