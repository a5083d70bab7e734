import { refuse } from '@svc/contract'
import { venueCapacity } from '@svc/contracts/hl-leg/legs'
import type { Context } from '#context.ts'
import { shareOf } from '@svc/venue/rules/weights'
import { legsMax } from './rules/capacity.ts'
import { busyLegs } from './busy-legs.ts'
import { liveLegs, type Leg } from './store/legs.ts'

/** Returns how many legs with money or positions this deployment can read in time. */
export const capacityOf = ({ settings }: Pick<Context, 'settings'>): number =>
  legsMax({
    minuteMax: shareOf('worth', settings.venueWeightMinute),
    maxAgeSec: settings.readingMaxAgeSec,
    dexes: settings.dexes.length,
  })

/** More live legs than a deployment can have. */
const LEGS_MAX = 10_000

/**
 * Refuses with `venue_capacity` if one more leg with money could not be read in time. Legs without money out or position
 * take no place.
 */
export async function requireCapacity(context: Pick<Context, 'pool' | 'settings' | 'money'>, leg: Leg): Promise<void> {
  const { pool, settings } = context
  const live = await liveLegs(pool, settings.network, { limit: LEGS_MAX })
  const others = live.filter(({ publicId }) => publicId !== leg.publicId)
  const busy = await busyLegs(context, others)
  const max = capacityOf(context)
  if (busy.size >= max) refuse(venueCapacity, undefined, { legs: busy.size, legs_max: max })
}
