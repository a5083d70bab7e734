import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { storeAllowance, type Allowance } from './store/allowances.ts'

/** Actions of an account at the venue that are kept for closes. */
export const ACTIONS_KEPT = 1_000
/** While so many more are left, a stored reading will do. */
const ENOUGH = 1_000
const READING_MAX_AGE_MS = 600_000

/**
 * Returns how many actions the owner's account may still send. Asks the venue when the stored number is missing, old or
 * small; each action of an order lowers the stored number.
 */
export async function readActionsLeft(
  { pool, clock, venue }: Pick<Context, 'pool' | 'clock' | 'venue'>,
  { owner, network }: Leg,
  stored: Allowance | null,
): Promise<number> {
  const now = clock.now()
  const isFresh = stored !== null && now.getTime() - stored.readAt.getTime() < READING_MAX_AGE_MS
  if (stored !== null && isFresh && stored.left >= ACTIONS_KEPT + ENOUGH) return stored.left
  const { nRequestsUsed, nRequestsCap } = await venue.ask('orders', 'userRateLimit', { user: owner })
  const left = Math.max(0, nRequestsCap - nRequestsUsed)
  await storeAllowance(pool, network, owner, { left, readAt: now })
  return left
}
