import { legState } from '@svc/contracts/hl-leg/refusals'
import { sql, type Pool } from '@svc/postgres'
import { countsByState, type Gauges } from '@svc/service'
import { z } from 'zod'

const stateCountRow = z.object({ state: z.string(), count: z.number() })

const ageRow = z.object({ age: z.number() })

const ticksRow = z.object({ ticks: z.number() })

/** Figures of legs, of leg money and of the stop line. */
export const legGauges = ({ pool, seed }: { readonly pool: Pool; readonly seed: unknown }): Gauges => ({
  hub_legs: {
    description: 'Legs by state; a leg is orphaned if its key was derived from another seed',
    label: 'state',
    read: async () => {
      const rows = await pool.any(
        sql.type(stateCountRow)`
          SELECT state, count(*)::int AS count FROM leg GROUP BY state ORDER BY state`,
      )
      return countsByState(legState.options, rows)
    },
  },
  hub_leg_seed_set: { description: 'Whether the seed of leg keys is set', read: () => Number(seed !== null) },
  hub_leg_inflight_oldest_age_seconds: {
    description: 'Age of the oldest transfer of leg money that has not ended; 0 if all have',
    read: () =>
      pool.oneFirst(sql.type(ageRow)`
        SELECT greatest(coalesce(extract(epoch FROM now() - min(opened_at)), 0), 0)::float8 AS age
        FROM transfer WHERE open`),
  },
  hub_stop_line_transient_ticks: {
    description: 'Runs in a row after which the stop line has left positions of a leg open; the greatest of all legs',
    read: () =>
      pool.oneFirst(sql.type(ticksRow)`
        SELECT coalesce(max(transient_ticks), 0) AS ticks FROM closing WHERE ended_at IS NULL`),
  },
})
