import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '#flow/client.ts'
import { registerAgent, signIn } from '#flow/people.ts'
import type { LocalAccount } from 'viem'

/** A request that was not answered as the documents say. */
interface Failure {
  readonly at: string
  readonly path: string
  readonly problem: string
}

/** What people and agents did while something else happened. */
export interface LoadResult {
  readonly requests: number
  readonly failures: readonly Failure[]
  readonly slowestMs: number
  /** Agents with the Cherry that they must have; null if no answer said it. */
  readonly agents: readonly { readonly id: number; readonly granted: number | null }[]
}

const CLIENTS = 2
const PAUSE_MS = 100
/** Cherry that each agent is given. */
export const GRANT = 7
/** Reads that anybody may make, by the service that answers them. */
export const READS: Readonly<Record<string, string>> = {
  gateway: '/openapi.json',
  identity: '/.well-known/jwks.json',
  subscriptions: '/feeds/catalog',
  mining: '/prices',
  gallery: '/hub/hall',
  'market-data': '/coverage',
}

/**
 * Sends requests without a retry until `work` ends: reads of every service, and agents that register and are given Cherry. Each
 * agent is given the same amount twice with one Idempotency-Key, which counts once.
 */
export async function loadDuring(
  url: string,
  admin: LocalAccount,
  services: readonly string[],
  work: () => Promise<void>,
): Promise<LoadResult> {
  const reads = services.flatMap((name) => READS[name] ?? [])
  const failures: Failure[] = []
  const agents: { id: number; granted: number | null }[] = []
  let requests = 0
  let slowestMs = 0
  let going = true
  const { token } = await signIn(url, admin)
  const step = async (path: string, send: () => Promise<void>) => {
    const began = performance.now()
    requests += 1
    await send().catch((error: unknown) => {
      const { message, cause } = error instanceof Error ? error : new Error(String(error))
      const why = cause instanceof Error ? `: ${cause.message}` : ''
      failures.push({ at: new Date().toISOString(), path, problem: `${message}${why}` })
    })
    slowestMs = Math.max(slowestMs, performance.now() - began)
    await delay(PAUSE_MS)
  }
  const expectStatus = async (path: string, status: number, options: Parameters<typeof ask>[2] = {}) => {
    const answer = await ask(url, path, options)
    if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
  }
  const client = async () => {
    while (going) {
      for (const path of reads) await step(path, () => expectStatus(path, 200))
      await step('/auth/agent/register', async () => {
        const { id } = await registerAgent(url, 'load')
        agents.push({ id, granted: 0 })
      })
      const agent = agents.at(-1)
      if (agent?.granted !== 0) continue
      agent.granted = null
      const body = { user_id: agent.id, amount: GRANT, reason: 'load' }
      const grant = { token, idempotencyKey: `load-${agent.id}`, body }
      for (let times = 0; times < 2; times += 1)
        await step('/admin/cherry/adjustments', async () => {
          await expectStatus('/admin/cherry/adjustments', 201, grant)
          agent.granted = GRANT
        })
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  await work().finally(() => (going = false))
  await Promise.all(clients)
  return { requests, failures, slowestMs: Math.round(slowestMs), agents }
}
