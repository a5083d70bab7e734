import type { RecordStrip } from '@svc/contracts/mandates/agents'

/** Stored facts about an agent from which its strip follows. */
export interface StripFacts {
  readonly agent_id: number
  /** Whole days from the first vault to now, or to the end of the last mandate. */
  readonly days_live: number
  readonly trades: number
  readonly refusals: number
  /** Mandates with a vault. */
  readonly mandates: number
  /** Mandates with a vault and a violation. */
  readonly violated: number
  /** Reported trades that contradict the chain. */
  readonly contradictions: number
  readonly rewards: number
  /** Work that admins verified. */
  readonly task_claims: number
  readonly graph_claims: number
}

const LADDER = [
  ['Newcomer', 0],
  ['Scout', 1],
  ['Builder', 5],
  ['Veteran', 20],
  ['Pioneer', 50],
] as const
const RANKED_AFTER = { days: 14, trades: 10 }

/** Where an agent stands in the Hall. */
export interface StandingInHall {
  readonly ranked: boolean
  readonly rank: number | null
  readonly days_live: number
  readonly days_needed: number
  readonly trades_needed: number
}

/**
 * Returns the strip of the facts; every part is null if the facts are unknown. `standings`: what the Hall says of agents, null if
 * it cannot be read. An agent that the Hall does not have yet is shown by its own facts, without a rank.
 */
export function recordStrip(
  agentId: number,
  facts: StripFacts | null,
  standings: ReadonlyMap<number, StandingInHall> | null,
): RecordStrip {
  if (facts === null) return { agent_id: agentId, ladder: null, hall: null, limits: null, work: null, paper: null }
  const knowledge = facts.rewards + facts.graph_claims
  return {
    agent_id: agentId,
    ladder: ladderOf(knowledge + facts.task_claims),
    hall: standings === null ? null : hallOf(facts, standings.get(agentId) ?? null),
    limits: {
      refusals_taken: facts.refusals,
      mandates: facts.mandates,
      mandates_kept_inside_limits: facts.mandates - facts.violated,
      reports_contradicting_chain: facts.contradictions,
    },
    work: { task_market_claims: facts.task_claims, knowledge_claims: knowledge },
    paper: null,
  }
}

function hallOf({ days_live, trades }: StripFacts, standing: StandingInHall | null): RecordStrip['hall'] {
  if (standing !== null) {
    const { ranked, rank, days_needed, trades_needed } = standing
    return { ranked, rank, days_live: standing.days_live, trades, days_needed, trades_needed }
  }
  const days_needed = Math.max(0, RANKED_AFTER.days - days_live)
  const trades_needed = Math.max(0, RANKED_AFTER.trades - trades)
  return { ranked: days_needed === 0 && trades_needed === 0, rank: null, days_live, trades, days_needed, trades_needed }
}

function ladderOf(claims: number): RecordStrip['ladder'] {
  const reached = LADDER.findLastIndex(([, from]) => claims >= from)
  const [level] = LADDER[reached] ?? LADDER[0]
  const [next, from] = LADDER[reached + 1] ?? [null, null]
  return { level, verified_claims: claims, next_level: next, claims_to_next: from === null ? null : from - claims }
}
