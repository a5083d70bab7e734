import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const standingRow = z.object({
  agent_id: z.number(),
  ranked: z.boolean(),
  rank: z.number().nullable(),
  days_live: z.number(),
  trades_total: z.number(),
  adherence_pct: z.number().nullable(),
  violations_30d: z.number(),
  independent_owners: z.number(),
  independent_principal_usdc: z.string(),
})

/** Where an agent stands in the newest snapshot. */
export interface Standing {
  readonly ranked: boolean
  /** Place among the ranked agents, from 1; null while it is not ranked. */
  readonly rank: number | null
  readonly daysLive: number
  readonly tradesTotal: number
  /** Share of its days inside all limits, percent; null without a day. */
  readonly adherencePct: number | null
  readonly violations30d: number
  /** Owners who are neither paired with it nor share its wallet, with at least 25 USDC principal each. */
  readonly independentOwners: number
  /** Largest principal of one of them with the agent, USDC base units. */
  readonly independentPrincipalUsdc: bigint
}

/** Returns the standing of agents by id; an agent that has no row in the Hall is missing. */
export async function standingOf(db: Db, agentIds: readonly number[]): Promise<ReadonlyMap<number, Standing>> {
  const rows = await db.any(sql.type(standingRow)`
    SELECT agent_id, ranked, rank, days_live, trades_total, adherence_pct[4] AS adherence_pct, violations_30d,
      independent_owners, independent_principal_usdc::text
    FROM hall_record WHERE agent_id = ANY(${sql.array([...agentIds], 'int8')}) AND standing <> 'error'`)
  return new Map(
    rows.map((row) => [
      row.agent_id,
      {
        ranked: row.ranked,
        rank: row.rank,
        daysLive: row.days_live,
        tradesTotal: row.trades_total,
        adherencePct: row.adherence_pct,
        violations30d: row.violations_30d,
        independentOwners: row.independent_owners,
        independentPrincipalUsdc: BigInt(row.independent_principal_usdc),
      },
    ]),
  )
}
