import { countAlarm } from '@svc/service'
import type { Context } from '#context.ts'
import { noteUnexplainedTold, unexplainedOf } from '#readings/store/ledger.ts'
import { hasVenueChanged } from './rules/venue-changed.ts'
import { liveLegs } from './store/legs.ts'

/** Live legs of a deployment that are looked at. */
const LEGS_MAX = 10_000

/**
 * Pages for legs whose cash nothing explains for longer than SVC_LEG_UNEXPLAINED_MAX_SEC, once for each time; and if many became
 * unexplained at once, for the venue. Returns how many legs it paged for.
 */
export async function tellUnexplained({
  pool,
  clock,
  settings,
  venue,
  log,
}: Pick<Context, 'pool' | 'clock' | 'settings' | 'venue' | 'log'>): Promise<number> {
  const now = clock.now()
  const told = await noteUnexplainedTold(pool, new Date(now.getTime() - settings.unexplainedMaxSec * 1000), now)
  if (told.length === 0) return 0
  for (const public_id of told) {
    countAlarm('leg_unexplained', 'hl-leg')
    log.error({ alarm: 'leg_unexplained', public_id }, 'the cash of a leg is not explained: its opens are refused')
  }
  const live = (await liveLegs(pool, venue.network, { limit: LEGS_MAX })).map(({ publicId }) => publicId)
  const since = [...(await unexplainedOf(pool, live)).values()]
  if (hasVenueChanged(since, live.length)) {
    countAlarm('venue_changed', 'hl-leg')
    log.error({ alarm: 'venue_changed', unexplained: since.length, legs: live.length }, 'the venue changed')
  }
  return told.length
}
