import { LRUCache } from 'lru-cache'

/** Time and channel of the last call of an agent. */
export interface Seen {
  readonly account_id: number
  readonly channel: 'http' | 'mcp'
  readonly at: string
}

/** Minimum time between two notes about an agent, however often it calls. */
const QUIET_MS = 30_000
/** Maximum number of agents in one request to identity. */
const BATCH_MAX = 500
/**
 * Maximum number of agents whose last note is remembered. A forgotten agent is noted again; identity ignores the
 * repetition.
 */
const REMEMBERED_MAX = 50_000

export interface AgentActivity {
  /** Notes a call; costs one look-up unless the agent has been quiet. */
  readonly note: (accountId: number, channel: Seen['channel']) => void
  /** Sends the notes since the last flush. Never throws. */
  flush(): Promise<void>
}

/** Collects the last activity of agents, so that their calls do not wait for identity. */
export function agentActivity(options: {
  readonly now: () => number
  readonly send: (seen: readonly Seen[]) => Promise<void>
  /** Called for notes that could not be sent and are lost; their agents are noted again with the next call. */
  readonly onLost: (error: unknown) => void
}): AgentActivity {
  const { now, send, onLost } = options
  const notedAt = new LRUCache<number, number>({ max: REMEMBERED_MAX })
  let waiting: Seen[] = []
  return {
    note: (accountId, channel) => {
      const at = now()
      const last = notedAt.get(accountId)
      if (last !== undefined && at - last < QUIET_MS) return
      notedAt.set(accountId, at)
      if (waiting.length < REMEMBERED_MAX)
        waiting.push({ account_id: accountId, channel, at: new Date(at).toISOString() })
    },
    flush: async () => {
      const all = waiting
      waiting = []
      for (let from = 0; from < all.length; from += BATCH_MAX) {
        const batch = all.slice(from, from + BATCH_MAX)
        try {
          await send(batch)
        } catch (error) {
          for (const { account_id } of batch) notedAt.delete(account_id)
          onLost(error)
        }
      }
    },
  }
}
