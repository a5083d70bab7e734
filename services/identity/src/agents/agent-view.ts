import { refuse, type BodyOf, type Caller } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import type { Db, Pool } from '@svc/postgres'
import { isOutage } from '@svc/service'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { countKeys } from '#keys/store/keys.ts'
import { findAgents, type AgentRow } from './store/agents.ts'

export type AgentView = BodyOf<typeof identity.operations.listAgents>['items'][number]

/** Returns the owner of an agent for answers; null while the agent is unpaired. */
export function ownerOf(row: AgentRow): { owner_id: number; wallet: string } | null {
  if (row.owner_id === null || row.owner_wallet === null) return null
  return { owner_id: row.owner_id, wallet: checksummed(row.owner_wallet) }
}

/** Returns the agent if the caller is the agent or its owner; refuses `notYourAgent` otherwise, also for an unknown id. */
export async function visibleAgent(db: Db, agentId: number, caller: Caller): Promise<AgentRow> {
  const [row] = await findAgents(db, [agentId])
  if (row === undefined || (row.agent_id !== caller.account_id && row.owner_id !== caller.account_id))
    return refuse(notYourAgent)
  return row
}

/** Returns agents for themselves and their owners, ordered by id. */
export async function viewAgents(pool: Pool, agentIds: readonly number[], now: Date): Promise<AgentView[]> {
  if (agentIds.length === 0) return []
  const [rows, keys] = await Promise.all([findAgents(pool, agentIds), readable(countKeys(pool, agentIds, now))])
  return rows.map((row) => ({
    agent_id: row.agent_id,
    name: row.name,
    wallet: checksummed(row.wallet),
    registered_at: row.registered_at,
    owner: ownerOf(row),
    paired_at: row.paired_at,
    policy: row.policy ?? CLOSED_POLICY,
    policy_updated_at: row.policy_updated_at,
    last_seen_at: row.last_seen_at,
    channel: row.channel,
    agent_keys: { count: keys === null ? null : (keys.get(row.agent_id) ?? 0) },
  }))
}

/** Returns a part of an answer, or null during an outage, so that the rest is still answered. */
async function readable<T>(part: Promise<T>): Promise<T | null> {
  try {
    return await part
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}
