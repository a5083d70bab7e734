import { sql, type Pool } from '@svc/postgres'
import type { Gauges } from '@svc/service'
import { z } from 'zod'

const count = z.object({ count: z.number() })

const ageRow = z.object({ age: z.number() })

/** Figures of reviews and payouts. */
export const miningGauges = (pool: Pool): Gauges => ({
  hub_review_queue: {
    description: 'Submissions that wait for a reviewer',
    read: () => pool.oneFirst(sql.type(count)`SELECT count(*)::int AS count FROM submission WHERE status = 'pending'`),
  },
  hub_review_oldest_age_seconds: {
    description: 'Age of the oldest submission that waits for a reviewer; 0 if none waits',
    read: () =>
      pool.oneFirst(sql.type(ageRow)`
        SELECT greatest(coalesce(extract(epoch FROM now() - min(submitted_at)), 0), 0)::float8 AS age
        FROM submission WHERE status = 'pending'`),
  },
  hub_payouts_deferred: {
    description: 'Payouts that wait for a later day than the one after their approval, because of the daily maximum',
    read: () =>
      pool.oneFirst(sql.type(count)`
        SELECT count(*)::int AS count FROM payout
        WHERE status = 'queued' AND pay_on > (approved_at AT TIME ZONE 'UTC')::date + 1`),
  },
})
