import { HALL_POINTS_OF_DAY_MAX } from '@svc/contracts/mandates/facts'
import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Point } from '../rules/page-facts.ts'
import { askedTable, type AskedDays } from './hall-days.ts'

const pointRow = z.object({
  mandate_id: z.number(),
  at: z.string(),
  block_number: z.number(),
  worth: units,
  paid_in: units,
  paid_out: units,
})

/**
 * Returns the points of mandates in the order of `asked`, oldest first, at most `max`: of each UTC day the last known worth,
 * and each known worth next to a change of the totals, those next to the largest changes first if a day has too many.
 *
 * Facts and marks of a vault are one line, ordered by block; a mark shows the state after its block, so it comes after the
 * facts of that block. A withdrawal pays out all that the books have then, and a settlement takes a fee out of them. What the
 * books were paid, less what they paid out, is what they have: so all withdrawals and fees up to a withdrawal are together
 * `booked`, the sum of all other movements up to it, and no event has to say what it paid out of the books.
 */
export function hallPoints(db: Db, asked: readonly AskedDays[], max: number): Promise<readonly Point[]> {
  return db.any(sql.type(pointRow)`
    WITH asked AS MATERIALIZED (SELECT * FROM ${askedTable(asked)}),
    mark AS (
      SELECT place, since, w.* FROM asked JOIN worth w USING (mandate_id) WHERE w.worth IS NOT NULL AND w.at >= since
      UNION ALL
      SELECT place, since, w.* FROM asked CROSS JOIN LATERAL (
        SELECT * FROM worth WHERE worth.mandate_id = asked.mandate_id AND worth IS NOT NULL AND at < since
        ORDER BY at DESC LIMIT 1) AS w),
    line AS (
      SELECT mandate_id, block_number, log_index, NULL::timestamptz AS at, NULL::numeric AS worth,
        NULL::bigint AS place, NULL::timestamptz AS since, name = 'Withdrawn' AS withdrew,
        CASE WHEN name IN ('Deposited', 'DirectDeposit') THEN (args->>'amount')::numeric ELSE 0 END AS paid_in,
        CASE WHEN name = 'Settled' THEN (args->>'fee')::numeric ELSE 0 END AS settled,
        CASE
          WHEN name IN ('Deposited', 'DirectDeposit', 'LegReturned') THEN (args->>'amount')::numeric
          WHEN name = 'LegFunded' THEN -(args->>'amount')::numeric
          WHEN name = 'Executed' THEN (args->>'received')::numeric - (args->>'spent')::numeric
          WHEN name = 'Unwound' THEN (args->>'received')::numeric
          ELSE 0 END AS booked
      FROM asked JOIN vault v USING (mandate_id) JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address
      WHERE v.canonical AND f.canonical AND name IN
        ('Deposited', 'DirectDeposit', 'LegReturned', 'LegFunded', 'Executed', 'Unwound', 'Settled', 'Withdrawn')
      UNION ALL
      SELECT mandate_id, block_number, NULL, at,
        greatest(0, mark.worth - coalesce(unbooked, 0) + coalesce(drawn, 0)), place, since, false, 0, 0, 0
      FROM mark JOIN vault v USING (mandate_id) WHERE v.canonical),
    sum AS (
      SELECT *, sum(paid_in) OVER run AS total_in, sum(settled) OVER run AS total_settled, sum(booked) OVER run AS total_booked
      FROM line
      WINDOW run AS (PARTITION BY mandate_id ORDER BY block_number, log_index NULLS LAST, at ROWS UNBOUNDED PRECEDING)),
    total AS (
      SELECT *, total_settled + coalesce(max(total_booked) FILTER (WHERE withdrew) OVER run, 0)
        - coalesce(max(total_settled) FILTER (WHERE withdrew) OVER run, 0) AS total_out
      FROM sum
      WINDOW run AS (PARTITION BY mandate_id ORDER BY block_number, log_index NULLS LAST, at ROWS UNBOUNDED PRECEDING)),
    neighbour AS (
      SELECT *, (at AT TIME ZONE 'UTC')::date AS day, (lead(at) OVER times AT TIME ZONE 'UTC')::date AS next_day,
        abs(total_in - lag(total_in, 1, 0) OVER times) + abs(total_out - lag(total_out, 1, 0) OVER times) AS moved_before,
        abs(total_in - lead(total_in, 1, total_in) OVER times) + abs(total_out - lead(total_out, 1, total_out) OVER times)
          AS moved_after
      FROM total WHERE at IS NOT NULL WINDOW times AS (PARTITION BY mandate_id ORDER BY at)),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY mandate_id, day
        ORDER BY day IS DISTINCT FROM next_day DESC, greatest(moved_before, moved_after) DESC, at) AS n
      FROM neighbour WHERE day IS DISTINCT FROM next_day OR moved_before > 0 OR moved_after > 0)
    SELECT mandate_id, at, block_number, worth, total_in AS paid_in, total_out AS paid_out FROM ranked
    WHERE n <= ${HALL_POINTS_OF_DAY_MAX} AND at >= since ORDER BY place, at LIMIT ${max}`)
}
