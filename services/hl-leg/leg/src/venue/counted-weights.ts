import type { Pool } from '@svc/postgres'
import type { Clock } from '@svc/service'
import { addWeight, returnWeight, spendWeight } from './store/weights.ts'
import type { Weights } from '@svc/venue/venue-client'

/** Counts the weight of a network address in this schema, by the clock of Postgres. */
export function countWeights(
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
  egress: { readonly name: string; readonly minuteMax: number },
): Weights {
  return {
    spend: async (by, weight, atMost = weight) => {
      const waitSec = await spendWeight(pool, egress, by, { weight, atMost })
      return waitSec === null ? null : new Date(clock.now().getTime() + waitSec * 1000)
    },
    add: (by, weight) =>
      weight < 0 ? returnWeight(pool, egress.name, by, -weight) : addWeight(pool, egress.name, by, weight),
  }
}
