import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { isUnseen } from '#executions/store/reported-violations.ts'
import type { StripFacts } from '../rules/record-strip.ts'

const factsRow = z.object({
  agent_id: z.number(),
  days_live: z.number(),
  trades: z.number(),
  refusals: z.number(),
  mandates: z.number(),
  violated: z.number(),
  contradictions: z.number(),
  rewards: z.number(),
  task_claims: z.number(),
  graph_claims: z.number(),
})

/** Reads the facts of agents in one statement, one row for each; every count uses an index. */
export function stripFacts(db: Db, agentIds: readonly number[], now: Date): Promise<readonly StripFacts[]> {
  return db.any(sql.type(factsRow)`
    SELECT asked.agent_id, own.days_live, own.trades, own.refusals, own.mandates, own.violated, own.contradictions,
      (SELECT count(*) FROM cherry_move c WHERE c.account_id = asked.agent_id AND c.kind = 'mining_reward') AS rewards,
      claimed.task_claims, claimed.graph_claims
    FROM unnest(${sql.array([...agentIds], 'int8')}) AS asked (agent_id)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE kind = 'task_market') AS task_claims,
        count(*) FILTER (WHERE kind = 'knowledge_graph') AS graph_claims
      FROM agent_claim a WHERE a.agent_id = asked.agent_id) AS claimed
    CROSS JOIN LATERAL (
      SELECT coalesce(floor(extract(epoch FROM
          max(CASE WHEN m.state IN ('ended', 'closed', 'stopped') THEN m.state_since ELSE ${now.toISOString()} END)
            FILTER (WHERE v.mandate_id IS NOT NULL) - min(v.attached_at)) / 86400), 0)::int AS days_live,
        coalesce(sum(done.trades + filled.n), 0)::bigint AS trades,
        coalesce(sum(refused.n), 0)::bigint AS refusals,
        count(v.mandate_id) AS mandates,
        count(v.mandate_id) FILTER (WHERE done.violations > 0 OR told.violated) AS violated,
        coalesce(sum(contradicted.n), 0)::bigint AS contradictions
      FROM mandate m
      LEFT JOIN vault v ON v.mandate_id = m.id AND v.canonical
      CROSS JOIN LATERAL (
        SELECT count(*) AS trades, count(*) FILTER (WHERE verdict = 'violation') AS violations FROM execution
        WHERE mandate_id = m.id AND canonical) AS done
      CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM leg_reservation
        WHERE mandate_id = m.id AND outcome = 'filled' AND ordered_by = 'agent') AS filled
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM refusal WHERE mandate_id = m.id AND canonical) AS refused
      CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT FROM alert WHERE mandate_id = m.id AND kind = 'leg_fill_above_judgement')
          OR EXISTS (SELECT FROM reported_violation r WHERE r.mandate_id = m.id AND ${isUnseen}) AS violated) AS told
      CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM reported_trade WHERE mandate_id = m.id AND contradicts) AS contradicted
      WHERE m.agent_id = asked.agent_id AND m.state <> 'draft') AS own`)
}
