import { ok } from '@svc/contract'
import type { Tx } from '@svc/postgres'
import { findHold, paidByHold } from './store/holds.ts'

/** Returns how a hold ended, or that it is held, as it stands in this transaction. */
export async function endView(tx: Tx, holdId: string) {
  const hold = await findHold(tx, holdId)
  if (hold === null) throw new Error(`hold ${holdId} is gone`)
  return ok(200, {
    hold_id: hold.id,
    state: hold.state,
    captured: hold.captured,
    released: hold.state === 'held' ? 0 : hold.amount - hold.captured,
    resources: [...(await paidByHold(tx, hold))],
  })
}
