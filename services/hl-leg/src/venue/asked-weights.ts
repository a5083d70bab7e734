import { hlLeg } from '@svc/contracts/hl-leg'
import { clientOf, type Bus, type Clock } from '@svc/service'
import type { WeightClass } from './rules/weights.ts'
import type { Weights } from './venue-client.ts'

/**
 * Asks hl-leg for weight of a network address. After a refusal for want of weight the class is refused here until its time,
 * so that a flood of requests costs hl-leg nothing.
 */
export function askWeights(
  { bus, clock }: { readonly bus: Bus; readonly clock: Clock },
  who: 'hl-relay' | 'hl-trade',
  egress: string,
): Weights {
  const leg = clientOf(bus, who, hlLeg)
  const refused = new Map<WeightClass, { readonly weight: number; readonly until: Date }>()
  return {
    spend: async (by, weight) => {
      const known = refused.get(by)
      if (known !== undefined && weight >= known.weight && clock.now() < known.until) return known.until
      const { retry_at } = await leg.spendVenueWeight({ egress, class: by, weight, asked: false })
      const until = retry_at === null ? null : new Date(retry_at)
      if (until === null) refused.delete(by)
      else refused.set(by, { weight, until })
      return until
    },
    add: async (by, weight) => void (await leg.spendVenueWeight({ egress, class: by, weight, asked: true })),
  }
}
