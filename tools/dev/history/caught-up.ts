import { setTimeout as delay } from 'node:timers/promises'
import { ServerProblem, withClient } from '@svc/servers'

/** What the services must have reached before the clock goes on. */
export interface Wanted {
  /** Newest block of the chain. */
  readonly head: number
  /** Every mandate with a vault has a row of its worth of this time or later. */
  readonly markedSince?: Date
  /** The Hall has a row of so many agents, computed at this time or later. */
  readonly inHall?: { readonly agents: number; readonly since: Date }
}

/** Waits for the services. */
export interface CaughtUp {
  /**
   * Resolves once they have, with whether keeper sent transactions meanwhile; calls `nudge` after each look. Rejects with
   * `ServerProblem` after five minutes without progress, and after an hour, with what is missing.
   */
  until(wanted: Wanted, nudge: (look: number) => Promise<void>): Promise<{ readonly keeperSent: boolean }>
  close(): Promise<void>
}

const LOOK_MS = 50
/** Time without progress, and time in all, after which a wait ends. */
const STILL_MAX_MS = 300_000
const WAIT_MAX_MS = 3_600_000
/**
 * What is behind, each with a count: blocks that a stream of chain-indexer has not read, facts and refused calls that mandates
 * does not have, events on their way, transactions of keeper in flight, mandates without a mark, what gallery has to ask for
 * again, and agents that the Hall lacks.
 */
const BEHIND = `
  SELECT
    (SELECT count(*) FROM generate_series(1, 2 - (SELECT count(*) FROM chain_indexer.cursor
      WHERE stream IN ('vault_events', 'reverts') AND next_block > $1))) AS streams,
    (SELECT count(*) FROM chain_indexer.log WHERE canonical)
      - (SELECT count(*) FROM mandates.chain_fact WHERE canonical) AS facts,
    (SELECT count(*) FROM chain_indexer.revert_attempt) - (SELECT count(*) FROM mandates.attempt) AS refusals,
    (SELECT count(*) FROM chain_indexer.outbox) + (SELECT count(*) FROM mandates.outbox) AS events,
    (SELECT count(*) FROM keeper.transaction WHERE ended_at IS NULL) AS transactions,
    (SELECT count(*) FROM mandates.mandate m JOIN mandates.vault v ON v.mandate_id = m.id
      WHERE v.canonical AND m.state <> 'closed' AND NOT EXISTS (
        SELECT FROM mandates.worth w WHERE w.mandate_id = m.id AND w.at >= $2)) AS marks,
    (SELECT count(*) FROM gallery.fact_dirty) AS hall_facts,
    (SELECT greatest(0, $3 - coalesce(max(agents) FILTER (WHERE computed_at >= $4), 0)) FROM gallery.hall_snapshot) AS hall`

/** Opens the look at the database of a platform; it reads and changes nothing. */
export async function openCaughtUp(databaseUrl: string): Promise<CaughtUp> {
  const closing = Promise.withResolvers<void>()
  const opening = Promise.withResolvers<Parameters<Parameters<typeof withClient>[1]>[0]>()
  const session = withClient(databaseUrl, async (client) => {
    opening.resolve(client)
    await closing.promise
  })
  session.catch(opening.reject)
  const client = await opening.promise
  const never = new Date(0)
  const behind = async ({ head, markedSince = never, inHall = { agents: 0, since: never } }: Wanted) => {
    const values = [head, markedSince.toISOString(), inHall.agents, inHall.since.toISOString()]
    const { rows } = await client.query<Record<string, string>>(BEHIND, values)
    return Object.entries(rows[0] ?? {}).filter(([, count]) => Number(count) !== 0)
  }
  return {
    until: async (wanted, nudge) => {
      const began = performance.now()
      let last = { list: '', at: began }
      let keeperSent = false
      for (let look = 1; ; look += 1) {
        const missing = await behind(wanted)
        keeperSent ||= missing.some(([what]) => what === 'transactions')
        if (missing.length === 0) return { keeperSent }
        const now = performance.now()
        const list = missing.map(([what, count]) => `${what} ${count}`).join(', ')
        if (list !== last.list) last = { list, at: now }
        if (now > last.at + STILL_MAX_MS || now > began + WAIT_MAX_MS)
          throw new ServerProblem(
            `The history stands still; what is behind: ${list}. See the log of this run, delete its data folder and start again.`,
          )
        await nudge(look)
        await delay(LOOK_MS)
      }
    },
    close: async () => {
      closing.resolve()
      await session
    },
  }
}
