import { LRUCache } from 'lru-cache'
import type { Pool } from '@svc/postgres'
import type { AnyHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { noteActOf } from './store/agent-acts.ts'

/** How long a request of an agent stands for the following ones that name the same mandate. */
const NOTED_MS = 60_000
/** Maximum number of agents and mandates that are remembered. */
const NOTED_MAX = 10_000

const noted = new LRUCache<string, number>({ max: NOTED_MAX })

/** Notes a request of an agent that names a mandate, at most once a minute; nothing for a mandate without a leg. */
export async function noteAgentAct(pool: Pool, publicId: string, agentId: number, now: Date): Promise<void> {
  const key = `${agentId}:${publicId}`
  const last = noted.get(key)
  if (last !== undefined && Math.abs(now.getTime() - last) < NOTED_MS) return
  await noteActOf(pool, publicId, agentId, now)
  noted.set(key, now.getTime())
}

/**
 * Returns the handlers so that each request of an agent that names a mandate with a leg is noted first: silence of the agent
 * is counted from the newest one.
 */
export function notingAgentActs(
  handlers: Readonly<Record<string, AnyHandler>>,
  { pool }: Pick<Context, 'pool'>,
): Record<string, AnyHandler> {
  const noting =
    (handler: AnyHandler): AnyHandler =>
    async (input: { readonly public_id?: string }, call) => {
      const { caller, now } = call
      if (caller?.kind === 'agent' && typeof input.public_id === 'string')
        await noteAgentAct(pool, input.public_id, caller.account_id, now)
      return handler(input as never, call)
    }
  return Object.fromEntries(Object.entries(handlers).map(([key, handler]) => [key, noting(handler)]))
}
