import { refuse } from '@svc/contract'
import { venueAllowance } from '@svc/contracts/hl-leg/orders'
import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { readAllowance, storeAllowance } from './store/allowances.ts'

/** Actions of an account that are kept for closes. */
const KEPT = 1_000
/** While so many more are left, a stored reading will do. */
const ENOUGH = 1_000
const READING_MAX_AGE_MS = 600_000

/**
 * Refuses an open if the owner's account has few actions left at the venue. Asks the venue when the stored number is
 * old or small; each action that we send lowers the stored number.
 */
export async function requireAllowance(
  { pool, clock, venue }: Pick<Context, 'pool' | 'clock' | 'venue'>,
  { owner, network }: Leg,
): Promise<void> {
  const now = clock.now()
  const stored = await readAllowance(pool, network, owner)
  const isFresh = stored !== null && now.getTime() - stored.readAt.getTime() < READING_MAX_AGE_MS
  if (stored !== null && isFresh && stored.left >= KEPT + ENOUGH) return
  const { nRequestsUsed, nRequestsCap } = await venue.ask('orders', 'userRateLimit', { user: owner })
  const left = Math.max(0, nRequestsCap - nRequestsUsed)
  await storeAllowance(pool, network, owner, { left, readAt: now })
  if (left < KEPT) refuse(venueAllowance, undefined, { left })
}
