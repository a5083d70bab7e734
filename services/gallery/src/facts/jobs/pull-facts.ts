import type { HallAgent } from '@svc/contracts/identity/hall-agents'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { askFacts } from '../ask-facts.ts'
import { rateDays } from '../rules/rate-days.ts'
import { baseUnitsOf } from '../rules/usdc.ts'
import { forgetAgents, storeAgents, storeOwners, unknownAgents, unknownOwners } from '../store/agents.ts'
import { endMarks, markDirty, oldestDirty, postponeMark, type Dirty } from '../store/dirty.ts'
import { closingsBefore, forgetMandates, storeMandates, type MandateFacts } from '../store/mandates.ts'

/** Mandates of one page, and agents of one page. */
const MANDATES_MAX = 50
const AGENTS_MAX = 200

/**
 * Asks for the facts that are marked, oldest mark first, and replaces them in one transaction a page. After a failure the
 * next page is half as long, and a page of one mandate that fails rests: what cannot be read holds up nothing else.
 */
export const pullFacts = (context: Context): Job => {
  const { pool, clock } = context
  let most = MANDATES_MAX
  return async (signal) => {
    let done = 0
    while (!signal.aborted) {
      const agents = await oldestDirty(pool, 'agent', clock.now(), AGENTS_MAX)
      const mandates = await oldestDirty(pool, 'mandate', clock.now(), most)
      if (agents.length === 0 && mandates.length === 0) return { done }
      // Neither waits for the service of the other.
      const pulled = await Promise.allSettled([
        agents.length > 0 && pullAgents(context, agents),
        mandates.length > 0 && pullMandates(context, mandates),
      ])
      if (pulled[1].status === 'fulfilled') most = Math.min(MANDATES_MAX, most * 2)
      else {
        const [only] = mandates
        if (mandates.length === 1 && only !== undefined) await postponeMark(pool, 'mandate', only.id, clock.now())
        most = Math.max(1, Math.floor(mandates.length / 2))
      }
      for (const one of pulled) if (one.status === 'rejected') throw one.reason
      done += agents.length + mandates.length
    }
    return { done, nextAt: clock.now() }
  }
}

async function pullAgents({ pool, ask }: Context, page: readonly Dirty[]): Promise<void> {
  const { agents } = await ask.identity.readHallAgents({ agent_ids: page.map(({ id }) => Number(id)) })
  const known = agents.filter((agent): agent is HallAgent => agent !== null)
  const ids = new Set(known.map(({ agent_id }) => agent_id))
  const owners = await askOwners(
    { pool, ask },
    known.flatMap(({ owner_id }) => owner_id ?? []),
  )
  await pool.transaction(async (tx) => {
    await storeOwners(tx, owners)
    await storeAgents(tx, known)
    await forgetAgents(
      tx,
      page.map(({ id }) => Number(id)).filter((id) => !ids.has(id)),
    )
    await endMarks(tx, 'agent', page)
  })
}

/** Asks identity for the wallets of owners that are not stored yet. */
async function askOwners({ pool, ask }: Pick<Context, 'pool' | 'ask'>, ownerIds: readonly number[]) {
  const owner_ids = [...(await unknownOwners(pool, ownerIds))]
  if (owner_ids.length === 0) return []
  const { owners } = await ask.identity.readHallOwners({ owner_ids })
  return owners.filter((owner) => owner !== null)
}

async function pullMandates(context: Context, page: readonly Dirty[]): Promise<void> {
  const { pool, ask, clock, log } = context
  const found = await askFacts(ask, page)
  const closings = await closingsBefore(
    pool,
    [...found].map(([public_id, { fromDay }]) => ({ public_id, from_day: fromDay })),
  )
  const facts: MandateFacts[] = []
  const failed = new Set<string>()
  for (const [publicId, { mandate, fromDay }] of found) {
    try {
      facts.push({ mandate, fromDay, rated: rateDays(closings.get(publicId) ?? null, mandate.days.map(dayOf)) })
    } catch (error) {
      failed.add(publicId)
      log.error({ err: error, public_id: publicId }, 'facts of a mandate cannot be rated; its agent becomes degraded')
    }
  }
  const owners = await askOwners(
    context,
    facts.map(({ mandate }) => mandate.owner_id),
  )
  await pool.transaction(async (tx) => {
    await storeOwners(tx, owners)
    await storeMandates(tx, facts)
    await forgetMandates(
      tx,
      page.map(({ id }) => id).filter((id) => !found.has(id)),
    )
    const missing = await unknownAgents(tx, [...new Set(facts.map(({ mandate }) => mandate.agent_id))])
    await markDirty(
      tx,
      missing.map((agentId) => ({ kind: 'agent', id: String(agentId), agentId, fromDay: null })),
      { now: clock.now() },
    )
    for (const id of failed) await postponeMark(tx, 'mandate', id, clock.now())
    await endMarks(
      tx,
      'mandate',
      page.filter(({ id }) => !failed.has(id)),
    )
  })
}

const dayOf = ({ day, points, foreign_fills }: MandateFacts['mandate']['days'][number]) => ({
  day,
  foreignFills: foreign_fills,
  points: points.map(({ worth_usdc, paid_in_usdc, paid_out_usdc }) => ({
    worth: baseUnitsOf(worth_usdc),
    paidIn: baseUnitsOf(paid_in_usdc),
    paidOut: baseUnitsOf(paid_out_usdc),
  })),
})
