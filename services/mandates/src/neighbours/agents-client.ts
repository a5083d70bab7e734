import { identity } from '@svc/contracts/identity'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { subscriptions } from '@svc/contracts/subscriptions'
import { clientOf, type Bus } from '@svc/service'
import { LRUCache } from 'lru-cache'
import { orNull, unlessSuperseded } from './or-null.ts'

/** Signatures that are kept, and how long: a signed head says when it was the newest one. */
const SIGNED_MAX = 10_000
const SIGNED_KEPT_MS = 60_000
/** Agents whose last activity is kept; identity itself notes it at most every 30 seconds. */
const SEEN_MAX = 10_000
const SEEN_KEPT_MS = 10_000

/** When an agent last asked for something, and by which way. */
export interface Seen {
  readonly last_seen_at: string | null
  readonly channel: 'http' | 'mcp' | null
}

/** An agent account as identity knows it; `owner` is null until it is paired. */
export interface Agent extends Seen {
  readonly agent_id: number
  readonly wallet: string
  readonly policy: AgentPolicy
  readonly owner: { readonly owner_id: number } | null
}

/** A head as it is signed, with the vault that the record attached last. */
export interface Head {
  readonly mandate: string
  readonly seq: number
  readonly hash: string
  readonly chain: { readonly chain_id: number; readonly vault: string } | null
}

/** What is asked about accounts: of identity, and of subscriptions for tiers. */
export interface Accounts {
  /** The agent account; null when there is none. Rejects with an outage. */
  readAgent(agentId: number): Promise<Agent | null>
  /** Those of the accounts that are agents, in the order asked. Rejects with an outage. */
  knownAgents(agentIds: readonly number[]): Promise<readonly number[]>
  /** Returns when the access of agents ends, for those whose last key that may write expires. Rejects with an outage. */
  accessEnds(agentIds: readonly number[]): Promise<ReadonlyMap<number, Date>>
  /** Last activity of an agent, at most ten seconds old; null where there is no such agent or identity is away. */
  lastSeen(agentId: number, now: Date): Promise<Seen | null>
  /** Tier of an account; null while it cannot be read. */
  tierOf(accountId: number): Promise<number | null>
  /** Signature of the newest head of a record; null while the record is empty or identity is away, and for an older head. */
  signHead(head: Head, now: Date): Promise<string | null>
}

/** Opens the way to ask about accounts; asks nothing yet. */
export function openAccounts(bus: Bus): Accounts {
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
