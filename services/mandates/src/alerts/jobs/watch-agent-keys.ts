import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'
import { alertOwner } from '../alert-owner.ts'
import { endToAlert } from '../rules/key-end.ts'
import { resolveAlerts } from '../store/alerts.ts'
import { mandatesWithAccess, type WatchedAccess } from '../store/watched-access.ts'

const KIND = 'agent_key_ends'

/**
 * Alerts owners before the access of an agent to their mandates expires. Resolves such an alert when the agent has a key
 * that lives longer, when the access has expired, and when the mandate is over. One tick reads `max` mandates, by id; the
 * next one continues after them.
 */
export const watchAgentKeys = ({ pool, clock, agentsClient, alerts }: Context): Job => {
  let after = 0
  return async (signal) => {
    const now = clock.now()
    const { max } = mandates.jobs.watchAgentKeys
    const watched = await mandatesWithAccess(pool, KIND, after, max)
    const ends = await agentsClient.accessEnds(watched.flatMap(({ agentId }) => agentId ?? []))
    let done = 0
    for (const mandate of watched) {
      if (signal.aborted) return { done, nextAt: now }
      const endsAt = endToAlert(ends.get(mandate.agentId ?? 0) ?? null, now)
      if (!isAlerted(mandate, endsAt)) {
        await alertOfAccess(mandate, endsAt, now)
        done += 1
      }
      after = mandate.id
    }
    if (watched.length === max) return { done, nextAt: now }
    after = 0
    return { done }
  }

  async function alertOfAccess({ id, agentId, open }: WatchedAccess, endsAt: Date | null, now: Date): Promise<void> {
    await pool.transaction(async (tx) => {
      const mandate = await lockMandateById(tx, id)
      const about = endsAt?.toISOString()
      await resolveAlerts(tx, id, { kinds: [KIND], about: open.filter((one) => one !== about) }, now)
      if (endsAt === null || about === undefined || mandate.agent?.id !== agentId) return
      const text =
        `The API key of agent ${agentId} expires at ${about}. After that the agent cannot act for "${mandate.name}". ` +
        'The agent makes a key that lives longer with POST /auth/agent/keys.'
      await alertOwner(tx, { alerts }, mandate, { kind: KIND, severity: 'warning', text, about, endsAt }, now)
    })
  }
}

/** Whether the open alerts of a mandate are exactly the one about this end; without an end, none. */
function isAlerted({ open }: WatchedAccess, endsAt: Date | null): boolean {
  return open.join() === (endsAt?.toISOString() ?? '')
}
