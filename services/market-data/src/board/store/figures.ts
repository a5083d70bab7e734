import { sql, type Pool } from '@svc/postgres'
import type { Gauges } from '@svc/service'
import { z } from 'zod'

const atRow = z.object({ at: z.number() })

/** When the board was computed. */
export const boardGauges = (pool: Pool): Gauges => ({
  hub_snapshot_computed_at_seconds: {
    description: 'When a snapshot was computed, in Unix seconds',
    label: 'snapshot',
    read: async () => ({
      board: await pool.maybeOneFirst(sql.type(atRow)`
        SELECT extract(epoch FROM computed_at)::float8 AS at FROM board_snapshot ORDER BY id DESC LIMIT 1`),
    }),
  },
})
