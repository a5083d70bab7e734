import { sql, type Pool } from '@svc/postgres'
import type { Clock, Gauges } from '@svc/service'
import { z } from 'zod'

const countRow = z.object({ count: z.number() })

/** Figures of gas drips. */
export const keeperGauges = ({ pool, clock }: { readonly pool: Pool; readonly clock: Clock }): Gauges => ({
  hub_gas_drips_today: {
    description: 'Gas drips of this UTC day',
    read: () =>
      pool.oneFirst(sql.type(countRow)`
        SELECT count(*)::int AS count FROM gas_grant WHERE day = ${clock.now().toISOString().slice(0, 10)}`),
  },
})
