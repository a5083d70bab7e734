import { mandateState } from '@svc/contracts/mandates/fields'
import { sql, type Pool } from '@svc/postgres'
import { countsByState, readTogether, type Gauges } from '@svc/service'
import { z } from 'zod'

/** Time before its end in which an approval that nobody decided counts as expiring. */
const EXPIRING = '1 hour'
/** States of a mandate whose vault is closed and not yet settled. */
const CLOSING = ['stopped', 'ended']

const approvals = z.object({ open: z.number(), expiring: z.number(), oldest: z.number() })
const states = z.object({ state: z.string(), count: z.number() })
const age = z.object({ age: z.number() })

const readOpenApprovals = (pool: Pool) =>
  pool.one(sql.type(approvals)`
    SELECT count(*)::int AS open, (count(*) FILTER (WHERE expires_at < now() + ${EXPIRING}::interval))::int AS expiring,
      coalesce(extract(epoch FROM now() - min(requested_at)), 0)::float8 AS oldest
    FROM approval WHERE status = 'pending' AND expires_at > now()`)

/** Figures of mandates and approvals. */
export const mandateGauges = (pool: Pool): Gauges => {
  const openApprovals = readTogether(() => readOpenApprovals(pool))
  return {
    hub_mandates: {
      description: 'Mandates by state',
      label: 'state',
      read: async () => {
        const rows = await pool.any(
          sql.type(states)`SELECT state, count(*)::int AS count FROM mandate GROUP BY state ORDER BY state`,
        )
        return countsByState(mandateState.options, rows)
      },
    },
    hub_approvals_open: {
      description: 'Approvals that wait for their owner',
      read: async () => (await openApprovals()).open,
    },
    hub_approvals_expiring: {
      description: 'Approvals that wait for their owner and end within an hour',
      read: async () => (await openApprovals()).expiring,
    },
    hub_approval_oldest_age_seconds: {
      description: 'Age of the oldest approval that waits; 0 if none waits',
      read: async () => (await openApprovals()).oldest,
    },
    hub_settle_oldest_age_seconds: {
      description: 'Time since the oldest mandate with a vault stopped or ended without being settled; 0 if none waits',
      read: () =>
        pool.oneFirst(sql.type(age)`
        SELECT greatest(coalesce(extract(epoch FROM now() - min(state_since)), 0), 0)::float8 AS age FROM mandate m
        WHERE state = ANY(${sql.array(CLOSING, 'text')}) AND EXISTS (SELECT FROM vault v WHERE v.mandate_id = m.id)`),
    },
  }
}
