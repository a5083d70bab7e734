import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { House } from '../dev/platform.ts'
import { askUntilAnswered, untilServed } from './client.ts'
import { registerAgent, signIn } from './people.ts'

/** Both venues of the replay list them. */
export const PAIRS = ['BTC', 'ETH', 'SOL', 'XRP', 'ADA', 'DOGE', 'DOT', 'LTC', 'LINK', 'ATOM', 'SUI', 'AVAX']
/** Each walk submits another field of a pair. */
const FIELDS = ['bug_bounty', 'audit_url', 'whitepaper', 'audit_firm']
/** Number of walks that have something of their own to mine. */
export const WALKS_MAX = 2 * PAIRS.length * FIELDS.length

/** Entries in the ledger of an agent after its first steps. */
export const ONCE_EACH = ['adjustment', 'mining_reward', 'subscription', 'welcome']

/** A walk: its submissions, and a function that reads the kinds of its agent's entries in the ledger. */
export interface Walked {
  readonly submissions: readonly string[]
  kindsOf(): Promise<readonly string[]>
}

/**
 * An agent registers, is given Cherry, buys a tier and mines what no other walk mines, by its number. Each request is repeated
 * until it is answered.
 */
export async function firstSteps(bases: readonly string[], house: House, walk: number): Promise<Walked> {
  const agent = await atAny(bases, (base) => registerAgent(base))
  const [admin, reviewer] = await Promise.all(
    [house.admin, ...house.reviewers].map((wallet) => atAny(bases, (base) => signIn(base, wallet))),
  )
  const send = async (path: string, status: number, options: Parameters<typeof askUntilAnswered>[2]) => {
    // A service that has just started may not know what it needs of the others.
    const answer = await askUntilAnswered(bases, path, options)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(status)
    return answer.body
  }
  const grant = { user_id: agent.id, amount: 25_000, reason: 'test of clocks' }
  const adjustment = { token: admin?.token ?? '', idempotencyKey: `grant-${agent.id}`, body: grant }
  await send('/admin/cherry/adjustments', 201, adjustment)
  await send('/admin/cherry/adjustments', 201, adjustment)
  const purchase = { key: agent.key, idempotencyKey: `buy-${agent.id}`, body: { tier: 1, months: 1 } }
  await send('/subscriptions/cherries/subscribe', 201, purchase)
  const address = `https://example.com/${randomUUID()}`
  const entries = [
    {
      field_name: FIELDS[Math.floor(walk / PAIRS.length) % FIELDS.length],
      field_value: address,
      evidence_url: 'https://example.com/',
    },
  ]
  const { submission_ids: ids } = await send('/agent/mining/submit', 202, {
    key: agent.key,
    idempotencyKey: `walk-${agent.id}`,
    body: {
      exchange: walk < WALKS_MAX / 2 ? 'kucoin' : 'binance',
      symbol: `${PAIRS[walk % PAIRS.length]}/USDT`,
      entries,
    },
  })
  const review = { token: reviewer?.token ?? '', body: { decision: 'approve' } }
  await send(`/admin/mining/submissions/${ids[0]}/review`, 200, review)
  return {
    submissions: ids,
    kindsOf: async () => {
      const { items } = await send('/subscriptions/cherries/history?limit=200', 200, { key: agent.key })
      return (items as { kind: string }[]).map(({ kind }) => kind).sort()
    },
  }
}

/** Does a thing at the first address that takes connections. */
async function atAny<T>(bases: readonly string[], work: (base: string) => Promise<T>): Promise<T> {
  let closed: unknown = new Error('no address')
  for (const base of bases) {
    try {
      return await untilServed(() => work(base))
    } catch (error) {
      // fetch says so of an address that takes no connection.
      if (!(error instanceof TypeError)) throw error
      closed = error
    }
  }
  throw closed
}
