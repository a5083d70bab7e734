import { mining } from '@svc/contracts/mining'
import { emit, type Tx } from '@svc/postgres'
import { planPayouts } from '../rules/payout-plan.ts'
import { applyPlan, payoutState } from './payouts.ts'

/**
 * Releases the payouts that fit into today and plans the days of the others; returns the number released. Lock the miner's
 * row first. Each payout is released once, since a released row is never planned again.
 */
export async function releasePayouts(tx: Tx, accountId: number, limit: number, today: string): Promise<number> {
  const { paid, queue } = await payoutState(tx, accountId, today)
  const released = await applyPlan(tx, planPayouts(limit, today, paid, queue), today)
  for (const { submission_id, cherry, pay_on } of released) {
    await emit(tx, mining.events.payoutReleased, { submission_id, account_id: accountId, cherry, pay_on })
  }
  return released.length
}
