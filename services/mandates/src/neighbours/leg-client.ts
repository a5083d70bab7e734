import { hlLeg } from '@svc/contracts/hl-leg'
import type { LegMarket } from '@svc/contracts/hl-leg/venue'
import { clientOf, type Bus } from '@svc/service'
import { orNull } from './or-null.ts'

/** Questions answered by hl-leg. */
export interface LegClient {
  /** Returns the markets of the venue, and whether hl-leg has the seed of its keys; null during an outage. */
  listMarkets(): Promise<{ readonly items: readonly LegMarket[]; readonly seeded: boolean } | null>
}

/** Creates the client of hl-leg. Sends no request. */
export function openLegClient(bus: Bus): LegClient {
  const leg = clientOf(bus, 'mandates', hlLeg)
  return { listMarkets: () => orNull(leg.listLegMarkets({})) }
}
