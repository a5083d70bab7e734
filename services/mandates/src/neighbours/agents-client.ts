import { identity } from '@svc/contracts/identity'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { subscriptions } from '@svc/contracts/subscriptions'
import { clientOf, type Bus } from '@svc/service'
import { LRUCache } from 'lru-cache'
import { orNull, unlessSuperseded } from './or-null.ts'

/** Most cached signatures, and their lifetime: a signed head states when it was the newest. */
const SIGNED_MAX = 10_000
const SIGNED_KEPT_MS = 60_000
/** Most cached agents, and their lifetime; identity updates the last activity at most every 30 seconds. */
const SEEN_MAX = 10_000
const SEEN_KEPT_MS = 10_000

/** Time and channel of an agent's last request. */
export interface Seen {
  readonly last_seen_at: string | null
  readonly channel: 'http' | 'mcp' | null
}

/** An agent account as identity knows it; `owner` is null until it is paired. */
export interface Agent extends Seen {
  readonly agent_id: number
  readonly name: string
  readonly wallet: string
  readonly policy: AgentPolicy
  readonly owner: { readonly owner_id: number } | null
}

/** The head of a record to be signed, with the vault that was attached last. */
export interface Head {
  readonly mandate: string
  readonly seq: number
  readonly hash: string
  readonly chain: { readonly chain_id: number; readonly vault: string } | null
}

/** Questions about accounts, answered by identity and, for tiers, by subscriptions. */
export interface AgentsClient {
  /** Returns an agent account; null if the account is no agent. Rejects with an outage. */
  readAgent(agentId: number): Promise<Agent | null>
  /** Returns the accounts that are agents, in the given order. Rejects with an outage. */
  knownAgents(agentIds: readonly number[]): Promise<readonly number[]>
  /** Returns when the access of agents ends, for those whose last key that may write expires. Rejects with an outage. */
  accessEnds(agentIds: readonly number[]): Promise<ReadonlyMap<number, Date>>
  /** Returns the last activity of an agent, at most ten seconds old; null for an unknown agent or during an outage. */
  lastSeen(agentId: number, now: Date): Promise<Seen | null>
  /** Returns the tier of an account; null during an outage. */
  tierOf(accountId: number): Promise<number | null>
  /** Returns the signature of the newest head of a record; null for an empty record, an older head, or during an outage. */
  signHead(head: Head, now: Date): Promise<string | null>
}

/** Opens the way to ask about accounts; asks nothing yet. */
export function openAgentsClient(bus: Bus): AgentsClient {
  const accounts = clientOf(bus, 'mandates', identity)
  const ledger = clientOf(bus, 'mandates', subscriptions)
  const readAgent = async (agentId: number): Promise<Agent | null> =>
    (await accounts.readAgents({ agent_ids: [agentId] })).agents[0] ?? null
  const signed = new LRUCache<string, { readonly until: number; readonly jws: string }>({ max: SIGNED_MAX })
  const seen = new LRUCache<number, { readonly until: number; readonly answer: Promise<Seen | null> }>({
    max: SEEN_MAX,
  })
  const askSeen = async (agentId: number): Promise<Seen | null> => {
    const agent = await readAgent(agentId)
    return agent === null ? null : { last_seen_at: agent.last_seen_at, channel: agent.channel }
  }
  return {
    readAgent,
    knownAgents: async (agentIds) => {
      const { agents } = await accounts.readAgents({ agent_ids: [...agentIds] })
      return agents.flatMap((agent) => agent?.agent_id ?? [])
    },
    accessEnds: async (agentIds) => {
      if (agentIds.length === 0) return new Map()
      const { agents } = await accounts.readAgents({ agent_ids: [...new Set(agentIds)] })
      const ending = agents.filter((agent) => agent !== null)
      return new Map(
        ending.flatMap(({ agent_id, access_ends_at: end }) =>
          end === null ? [] : [[agent_id, new Date(end)] as const],
        ),
      )
    },
    lastSeen: (agentId, now) => {
      const known = seen.get(agentId)
      if (known !== undefined && now.getTime() < known.until) return known.answer
      const asked = askSeen(agentId)
      // What was not answered is asked again the next time.
      asked.catch(() => seen.delete(agentId))
      const answer = orNull(asked)
      seen.set(agentId, { until: now.getTime() + SEEN_KEPT_MS, answer })
      return answer
    },
    tierOf: async (accountId) =>
      (await orNull(ledger.resolveTiers({ account_ids: [accountId] })))?.items[0]?.tier ?? null,
    signHead: async (head, now) => {
      if (head.seq === 0) return null
      const known = signed.get(head.hash)
      if (known !== undefined && now.getTime() < known.until) return known.jws
      const answer = await unlessSuperseded(orNull(accounts.signRecordHead(head)))
      if (answer === null) return null
      signed.set(head.hash, { until: now.getTime() + SIGNED_KEPT_MS, jws: answer.jws })
      return answer.jws
    },
  }
}
