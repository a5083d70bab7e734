import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { recordStrip } from './rules/record-strip.ts'
import { stripFacts } from './store/strips.ts'
import type { RecordStrip } from '@svc/contracts/mandates/agents'

/** Returns Record strips by agent id, without unknown agents. Throws an outage while identity is away; what else cannot be read is null. */
export async function stripsOf(
  { pool, log, agentsClient, hallClient }: Context,
  agentIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, RecordStrip>> {
  const [known, standings, facts] = await Promise.all([
    agentsClient.knownAgents(agentIds),
    hallClient.standingsOf(agentIds),
    stripFacts(pool, agentIds, now).catch((error: unknown) => {
      if (!isOutage(error)) throw error
      log.warn({ err: error }, 'what Record strips are made of cannot be read')
      return null
    }),
  ])
  const factsOf = new Map(facts?.map((one) => [one.agent_id, one]))
  return new Map(known.map((id) => [id, recordStrip(id, factsOf.get(id) ?? null, standings)]))
}
