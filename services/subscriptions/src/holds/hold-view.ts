import { ok } from '@svc/contract'
import type { Tx } from '@svc/postgres'
import type { EndedHold } from './end-hold.ts'
import { paidByHold, type Hold } from './store/holds.ts'

/** Returns how a hold has ended. */
export const endView = ({ id, state, amount, captured, resources }: EndedHold) =>
  ok(200, { hold_id: id, state, captured, released: amount - captured, resources: [...resources] })

/** Returns how a hold ended before, with what it paid for. */
export async function formerEndView(tx: Tx, hold: Hold) {
  return endView({ ...hold, resources: await paidByHold(tx, hold) })
}
