import type { Context } from '#context.ts'
import type { WeightClass } from '@svc/venue/rules/weights'
import { readSkew, storeSkew, type VenueSkew } from './store/venue-skew.ts'

/** Maximum age of a comparison. */
const COMPARED_MAX_AGE_MS = 2 * 60_000

/** Compares the clock of this deployment with the venue's and stores the difference. */
export async function checkVenueClock(
  { venue, clock, pool }: Pick<Context, 'venue' | 'clock' | 'pool'>,
  by: WeightClass,
): Promise<VenueSkew> {
  const asked = clock.now()
  const { time } = await venue.ask(by, 'exchangeStatus')
  const answered = clock.now()
  const middle = (asked.getTime() + answered.getTime()) / 2
  const skew = { skewMs: Math.round(time - middle), at: answered }
  await storeSkew(pool, venue.network, skew)
  return skew
}

/** Returns how far the venue's clock is ahead of ours, measured at most two minutes ago. */
export async function venueSkew(
  context: Pick<Context, 'venue' | 'clock' | 'pool'>,
  by: WeightClass,
): Promise<VenueSkew> {
  const stored = await readSkew(context.pool, context.venue.network)
  const isFresh = stored !== null && context.clock.now().getTime() - stored.at.getTime() <= COMPARED_MAX_AGE_MS
  return isFresh ? stored : checkVenueClock(context, by)
}
