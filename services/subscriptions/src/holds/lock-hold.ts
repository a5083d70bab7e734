import type { Tx } from '@svc/postgres'
import { lockSpending } from '#ledger/store/spending.ts'
import { findHold, type Hold } from './store/holds.ts'

/** A hold as it is while the spending of its account is locked, which every writer of holds does first. */
export interface LockedHold {
  readonly hold: Hold
  /** What its account has ever spent. */
  readonly spentBefore: number
}

/** Locks the spending of a hold's account, then reads the hold; null for an unknown one. */
export async function lockHold(tx: Tx, holdId: string): Promise<LockedHold | null> {
  const known = await findHold(tx, holdId)
  if (known === null) return null
  const spentBefore = await lockSpending(tx, known.account_id)
  const hold = await findHold(tx, holdId)
  return hold === null ? null : { hold, spentBefore }
}
