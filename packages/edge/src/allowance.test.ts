import { describe, expect, test } from 'vitest'
import type { Caller, LimitRule } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { allowances } from './allowance.ts'
import { createLimiter, type Counters } from './limiter.ts'

const agent: Caller = {
  account_id: 7,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: 'key_1',
  session_id: null,
}
const limits = {
  dailyLimits: [100, 5_000, 50_000],
  minuteLimits: { account: 60, hub_read: 600, hub_write: 60, hub_exit: 120 },
} as const
const allowanceOf = allowances(limits)

/** How many of `calls` calls are let in by a limiter that starts empty. */
async function spender() {
  const used = new Map<string, number>()
  const counters: Counters = {
    take: async (key, want, limit, _ttl, durable) => {
      const before = used.get(key)
      if (before === undefined && durable) return null
      const granted = Math.max(0, Math.min(want, limit - (before ?? 0)))
      used.set(key, (before ?? 0) + granted)
      return { granted, used: (before ?? 0) + granted }
    },
    seed: async (key, count) => void used.set(key, count),
    giveBack: async () => {},
  }
  const state = { now: Date.UTC(2026, 10, 21, 12) }
  const usage = { add: async () => {}, used: async () => 0 }
  const limiter = createLimiter({ counters, usage, now: () => state.now })
  const spend = async (rule: LimitRule, calls: number, caller = agent) => {
    let allowed = 0
    for (let call = 0; call < calls; call += 1) {
      const policy = allowanceOf(rule, caller)
      if (policy === null || (await limiter.take(policy)).allowed) allowed += 1
    }
    return allowed
  }
  return { state, spend }
}

describe('allowance', () => {
  test('an account without daily requests left can still subscribe, manage keys and sessions, and use every exit', () => {
    const routes = [
      'POST /subscriptions/cherries/subscribe',
      'GET /subscriptions/status',
      'GET /subscriptions/cherries/balance',
      'GET /auth/agent/keys',
      'POST /auth/agent/keys',
      'DELETE /auth/agent/keys/{key_id}',
      'POST /auth/wallet/session',
      'POST /auth/session/refresh',
      'POST /auth/session/logout',
      'POST /hub/mandates/{public_id}/stop',
      'GET /hub/mandates/{public_id}/stop-call',
      'GET /hub/mandates/{public_id}/pause-call',
      'GET /hub/mandates/{public_id}/withdraw-call',
    ]
    const operations = contracts.flatMap((one) => Object.values(one.operations))
    const policies = routes.map((http) => {
      const operation = operations.find((one) => one.http === http)
      if (operation === undefined) throw new Error(`${http} is not declared`)
      return [http, allowanceOf(operation.limit ?? 'daily', agent)?.name ?? 'none'] as const
    })
    expect(policies.filter(([, policy]) => policy === 'daily')).toEqual([])
  })

  test('reads and writes per minute are counted separately from each other and from the daily requests', async () => {
    const { state, spend } = await spender()
    expect(await spend('hub_write', 70)).toBe(60)
    expect(await spend('hub_read', 610)).toBe(600)
    expect(await spend('daily', 110)).toBe(100)
    expect(await spend('hub_write', 1, { ...agent, account_id: 8 })).toBe(1)
    state.now += 60_000
    expect(await spend('hub_write', 70)).toBe(60)
    expect(await spend('daily', 1)).toBe(0)
  })

  test('the exits of an owner have a separate bucket, which no other traffic uses up', async () => {
    const { spend } = await spender()
    await spend('hub_write', 70)
    await spend('hub_read', 610)
    expect(await spend('hub_exit', 130)).toBe(120)
  })

  test('the daily limit depends on the tier; the keeper and routes with the rule "none" are not counted', () => {
    expect(allowanceOf('daily', { ...agent, tier: 2 })?.limit).toBe(50_000)
    expect(allowanceOf('account', agent)).toMatchObject({ name: 'account', limit: 60, durable: false })
    expect(allowanceOf('none', agent)).toBeNull()
    expect(allowanceOf('hub_write', { ...agent, kind: 'service' })).toBeNull()
  })
})
