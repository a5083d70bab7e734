import { sql, type Pool } from '@svc/postgres'
import type { Clock, Gauges } from '@svc/service'
import { z } from 'zod'

const countRow = z.object({ count: z.number() })

const ageRow = z.object({ age: z.number() })

/** Figures of gas drips and of open transactions. */
export const keeperGauges = ({ pool, clock }: { readonly pool: Pool; readonly clock: Clock }): Gauges => ({
  hub_gas_drips_today: {
    description: 'Gas drips of this UTC day',
    read: () =>
      pool.oneFirst(sql.type(countRow)`
        SELECT count(*)::int AS count FROM gas_grant WHERE day = ${clock.now().toISOString().slice(0, 10)}`),
  },
  hub_transaction_open_oldest_age_seconds: {
    description: 'Time since the oldest transaction was decided that has not ended; 0 if all have',
    read: () =>
      pool.oneFirst(sql.type(ageRow)`
        SELECT greatest(coalesce(extract(epoch FROM now() - min(decided_at)), 0), 0)::float8 AS age
        FROM transaction WHERE ended_at IS NULL`),
  },
})
