import { named, sql, table, units, type Db } from '@svc/postgres'
import { z } from 'zod'

const standings = table('hall_record', {
  ranked: z.boolean(),
  /** Place among the ranked agents, from 1; null while it is not ranked. */
  rank: z.number().nullable(),
  daysLive: z.number(),
  tradesTotal: z.number(),
  violations30d: named('violations_30d', z.number()),
  /** Owners who are neither paired with it nor share its wallet, with at least 25 USDC principal each. */
  independentOwners: z.number(),
})
const standingRow = standings.row.extend({
  agent_id: z.number(),
  /** Share of its days inside all limits, percent; null without a day. */
  adherencePct: z.number().nullable(),
  /** Largest principal of such an owner with the agent, USDC base units. */
  independentPrincipalUsdc: units,
})
/** Where an agent stands in the newest snapshot. */
export type Standing = Readonly<Omit<z.output<typeof standingRow>, 'agent_id'>>

/** Returns the standing of agents by id; an agent that has no row in the Hall is missing. */
export async function standingOf(db: Db, agentIds: readonly number[]): Promise<ReadonlyMap<number, Standing>> {
  const rows = await db.any(sql.type(standingRow)`
    SELECT agent_id, ${standings.list}, adherence_pct[4] AS "adherencePct",
      independent_principal_usdc::text AS "independentPrincipalUsdc"
    FROM hall_record WHERE agent_id = ANY(${sql.array([...agentIds], 'int8')}) AND standing <> 'error'`)
  return new Map(rows.map(({ agent_id, ...standing }) => [agent_id, standing]))
}
