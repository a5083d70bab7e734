import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { isUnseen } from '#executions/store/reported-violations.ts'
import type { DayCount } from '../rules/page-facts.ts'

/** Facts of which mandates are asked for, each from the UTC day on that begins at `since`; null: all days. */
export interface AskedDays {
  readonly id: number
  readonly since: string | null
}

const countRow = z.object({
  mandate_id: z.number(),
  day: z.string(),
  what: z.enum(['trade', 'violation', 'refusal', 'refusal_on_chain', 'foreign_fill']),
  /** Of a refusal. */
  kind: z.string().nullable(),
  count: z.number(),
})

/** The table `asked` of a statement. */
export const askedTable = (asked: readonly AskedDays[]) => sql.fragment`
  unnest(${sql.array(
    asked.map(({ id }) => id),
    'int8',
  )}, ${sql.array(
    asked.map(({ since }) => since ?? '-infinity'),
    'timestamptz',
  )}) WITH ORDINALITY AS asked (mandate_id, since, place)`

/**
 * Counts what happened to mandates by UTC day: executions by the time of their block, orders of the leg by the time at which
 * they were resolved, refusals by their time, reported violations once for each reason and hour unless the chain shows
 * their transactions.
 */
export function dayCounts(db: Db, asked: readonly AskedDays[]): Promise<readonly DayCount[]> {
  return db.any(sql.type(countRow)`
    WITH asked AS MATERIALIZED (SELECT * FROM ${askedTable(asked)})
    SELECT mandate_id, (block_time AT TIME ZONE 'UTC')::date AS day, 'trade' AS what, NULL AS kind, count(*) AS count
    FROM asked JOIN execution USING (mandate_id) WHERE canonical AND block_time >= since GROUP BY 1, 2
    UNION ALL
    SELECT mandate_id, (resolved_at AT TIME ZONE 'UTC')::date, 'trade', NULL, count(*)
    FROM asked JOIN leg_reservation USING (mandate_id)
    WHERE outcome = 'filled' AND ordered_by = 'agent' AND resolved_at >= since GROUP BY 1, 2
    UNION ALL
    SELECT mandate_id, (block_time AT TIME ZONE 'UTC')::date, 'violation', NULL, count(*)
    FROM asked JOIN execution USING (mandate_id)
    WHERE canonical AND verdict = 'violation' AND block_time >= since GROUP BY 1, 2
    UNION ALL
    SELECT mandate_id, (created_at AT TIME ZONE 'UTC')::date, 'violation', NULL, count(*)
    FROM asked JOIN alert USING (mandate_id)
    WHERE kind = 'leg_fill_above_judgement' AND created_at >= since GROUP BY 1, 2
    UNION ALL
    SELECT mandate_id, (at AT TIME ZONE 'UTC')::date, 'violation', NULL, count(DISTINCT (reason, date_trunc('hour', at)))
    FROM asked JOIN reported_violation r USING (mandate_id)
    WHERE at >= since AND ${isUnseen} GROUP BY 1, 2
    UNION ALL
    SELECT mandate_id, (at AT TIME ZONE 'UTC')::date, 'refusal', kind, count(*)
    FROM asked JOIN refusal USING (mandate_id) WHERE canonical AND at >= since GROUP BY 1, 2, 4
    UNION ALL
    SELECT mandate_id, (at AT TIME ZONE 'UTC')::date, 'refusal_on_chain', NULL, count(*)
    FROM asked JOIN refusal USING (mandate_id) WHERE canonical AND source = 'chain' AND at >= since GROUP BY 1, 2
    UNION ALL
    SELECT mandate_id, day, 'foreign_fill', NULL, fills
    FROM asked JOIN foreign_day USING (mandate_id) WHERE day >= (since AT TIME ZONE 'UTC')::date`)
}
