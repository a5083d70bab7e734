import type { Pool } from '@svc/postgres'
import type { Clock } from '@svc/service'
import { addWeight, spendWeight } from './store/weights.ts'
import type { Weights } from './venue-client.ts'

/** Counts the weight of a network address in this schema, by the clock of Postgres. */
export function countWeights(
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
  egress: { readonly name: string; readonly minuteMax: number },
): Weights {
  return {
    spend: async (by, weight) => {
      const waitSec = await spendWeight(pool, egress, by, weight)
      return waitSec === null ? null : new Date(clock.now().getTime() + waitSec * 1000)
    },
    add: (by, weight) => addWeight(pool, egress.name, by, weight),
  }
}
