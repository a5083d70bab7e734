import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { RATING_METHOD } from '../rules/rate-days.ts'
import { markDirty } from '../store/dirty.ts'
import { beginRebuild, endRebuild, newestRebuild, noteListed, type Rebuild } from '../store/rebuilds.ts'

const MANDATES_MAX = 500
const AGENTS_MAX = 1_000

/** Lists all agents and mandates and marks them, once at the first start and once for each version of the rating. */
export const rebuildFacts =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    let newest = await newestRebuild(pool)
    if (newest === null || newest.method !== RATING_METHOD) {
      await pool.transaction((tx) => beginRebuild(tx, RATING_METHOD, clock.now()))
      newest = await newestRebuild(pool)
    }
    if (newest === null || newest.ended_at !== null) return { done: 0 }
    let done = 0
    for (let rebuild: Rebuild | null = newest; rebuild !== null && !signal.aborted;) {
      if (!rebuild.agents_listed) done += await listAgents(context, rebuild)
      else if (!rebuild.mandates_listed) done += await listMandates(context, rebuild)
      else break
      rebuild = await newestRebuild(pool)
    }
    const { id } = newest
    const ended = await pool.transaction((tx) => endRebuild(tx, id, clock.now()))
    // The end is work too: it wakes the pass that waits for it.
    return {
      done: done + (ended ? 1 : 0),
      ended,
      ...(ended ? {} : { nextAt: new Date(clock.now().getTime() + 2_000) }),
    }
  }

async function listAgents({ pool, ask, clock }: Context, { id, agents_after }: Rebuild): Promise<number> {
  const after = agents_after === null ? {} : { after: agents_after }
  const { agent_ids } = await ask.identity.listHallAgents({ ...after, limit: AGENTS_MAX })
  const marks = agent_ids.map((agentId) => ({ kind: 'agent', id: String(agentId), agentId, fromDay: null }) as const)
  await pool.transaction(async (tx) => {
    await markDirty(tx, marks, { now: clock.now(), rebuild: id })
    await noteListed(tx, id, 'agents', { after: agent_ids.at(-1) ?? null, listed: agent_ids.length < AGENTS_MAX })
  })
  return marks.length
}

async function listMandates({ pool, ask, clock }: Context, { id, mandates_after }: Rebuild): Promise<number> {
  const after = mandates_after === null ? {} : { after: mandates_after }
  const { mandates } = await ask.mandates.listHallMandates({ ...after, limit: MANDATES_MAX })
  const marks = mandates.map(
    ({ public_id, agent_id }) => ({ kind: 'mandate', id: public_id, agentId: agent_id, fromDay: null }) as const,
  )
  await pool.transaction(async (tx) => {
    await markDirty(tx, marks, { now: clock.now(), rebuild: id })
    await noteListed(tx, id, 'mandates', {
      after: mandates.at(-1)?.public_id ?? null,
      listed: mandates.length < MANDATES_MAX,
    })
  })
  return marks.length
}
