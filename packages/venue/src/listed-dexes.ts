import type { Clock } from '@svc/service'
import type { WeightClass } from './rules/weights.ts'
import type { VenueClient } from './venue-client.ts'

/** Maximum age of the list. */
const MAX_AGE_MS = 10 * 60_000

interface Kept {
  readonly names: readonly string[]
  readonly readAt: Date
}
const kept = new WeakMap<VenueClient, Kept>()

/**
 * Returns the names of the venue's dexes in the order of their numbers, from a list that is at most ten minutes old. For
 * processes that store no markets; the main dex has the empty name.
 */
export async function listedDexes(
  { venue, clock }: { readonly venue: VenueClient; readonly clock: Clock },
  by: WeightClass,
): Promise<readonly string[]> {
  const known = kept.get(venue)
  if (known !== undefined && clock.now().getTime() - known.readAt.getTime() <= MAX_AGE_MS) return known.names
  const names = (await venue.ask(by, 'perpDexs')).map((dex) => dex?.name ?? '')
  kept.set(venue, { names, readAt: clock.now() })
  return names
}
