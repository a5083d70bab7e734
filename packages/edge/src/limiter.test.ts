import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLimiter, policyOf, type Counters, type Limiter, type Policy, type UsageStore } from './limiter.ts'

const DAY = 86_400

/** A shared counter and a durable sum as Redis and Postgres keep them, with a switch for an outage. */
function world() {
  const counters = new Map<string, number>()
  const sums = new Map<string, number>()
  const state = { redisUp: true, postgresUp: true, now: Date.UTC(2026, 10, 21, 12) }
  const port: Counters = {
    take: async (key, want, limit, _ttl, durable) => {
      if (!state.redisUp) throw new Error('down')
      const used = counters.get(key)
      if (used === undefined && durable) return null
      const granted = Math.max(0, Math.min(want, limit - (used ?? 0)))
      counters.set(key, (used ?? 0) + granted)
      return { granted, used: (used ?? 0) + granted }
    },
    seed: async (key, used) => {
      if (!counters.has(key)) counters.set(key, used)
    },
    giveBack: async (key, count) => {
      counters.set(key, (counters.get(key) ?? 0) - count)
    },
  }
  const usage: UsageStore = {
    add: async (rows) => {
      if (!state.postgresUp) throw new Error('down')
      for (const row of rows)
        sums.set(`${row.window}:${row.key}`, (sums.get(`${row.window}:${row.key}`) ?? 0) + row.count)
    },
    used: async (key, window) => {
      if (!state.postgresUp) throw new Error('down')
      return sums.get(`${window}:${key}`) ?? 0
    },
  }
  const gateway = () => createLimiter({ counters: port, usage, now: () => state.now })
  return { state, counters, sums, gateway }
}

const policy = (limit: number, key = '7') => policyOf({ name: 'daily', key, limit, windowSec: DAY, durable: true })
const spend = async (limiter: Limiter, rule: Policy, calls: number) => {
  let allowed = 0
  for (let call = 0; call < calls; call += 1) if ((await limiter.take(rule)).allowed) allowed += 1
  return allowed
}

describe('quota', () => {
  test('one gateway allows exactly the limit and returns the number of remaining calls', async () => {
    const { gateway } = world()
    const limiter = gateway()
    const first = await limiter.take(policy(100))
    expect(first).toMatchObject({ allowed: true, remaining: 99 })
    expect(await spend(limiter, policy(100), 200)).toBe(99)
    expect((await limiter.take(policy(100))).allowed).toBe(false)
  })

  test('what was used is read at any gateway without counting, while Redis is down too', async () => {
    const { gateway, state } = world()
    const [one, other] = [gateway(), gateway()]
    expect((await other.read(policy(100)))?.used).toBe(0)
    await spend(one, policy(100), 30)
    await spend(other, policy(100), 12)
    for (const limiter of [one, other, one])
      expect(await limiter.read(policy(100))).toEqual({ used: 42, resetsAt: new Date(Date.UTC(2026, 10, 22)) })
    await one.flush()
    state.redisUp = false
    expect((await other.read(policy(100)))?.used).toBe(42)
    state.postgresUp = false
    expect(await other.read(policy(100))).toBeNull()
  })

  test('calls that another gateway has leased count as used: readings differ by less than a lease', async () => {
    const { gateway } = world()
    const [one, other] = [gateway(), gateway()]
    const [limit, lease] = [2_000, 10]
    await spend(one, policy(limit), 31)
    await spend(other, policy(limit), 12)
    const [atOne, atOther] = await Promise.all([one, other].map((limiter) => limiter.read(policy(limit))))
    // One has 9 leased calls left, the other one 8; each knows its own.
    expect([atOne?.used, atOther?.used]).toEqual([43 + 8, 43 + 9])
    for (const reading of [atOne, atOther]) expect((reading?.used ?? 0) - 43).toBeLessThan(lease)
  })

  test('several gateways together never allow more than the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1500 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(4), { maxLength: 1200 }),
        async (limit, gateways, order) => {
          const { gateway } = world()
          const all = Array.from({ length: gateways }, gateway)
          let allowed = 0
          for (const pick of order) {
            const one = all[pick % gateways]
            if (one !== undefined && (await one.take(policy(limit))).allowed) allowed += 1
          }
          expect(allowed).toBeLessThanOrEqual(limit)
          // What others hold in leases is all that can be missing.
          if (order.length >= limit * 2)
            expect(allowed).toBeGreaterThanOrEqual(limit - gateways * Math.max(1, Math.floor(limit / 200)))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('concurrent calls of one account use one lease at a time', async () => {
    const { gateway } = world()
    const limiter = gateway()
    const verdicts = await Promise.all(Array.from({ length: 300 }, async () => limiter.take(policy(100))))
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(100)
  })

  test('the daily window ends at midnight UTC, whatever the time of the first call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: DAY - 1 }), async (limit, second) => {
        const { state, gateway } = world()
        const limiter = gateway()
        const midnight = Date.UTC(2026, 10, 22)
        state.now = midnight - DAY * 1000 + second * 1000
        const verdict = await limiter.take(policy(limit))
        expect(verdict.resetSec).toBe(DAY - second)
        expect(await spend(limiter, policy(limit), limit * 2)).toBe(limit - 1)
        state.now = midnight - 1
        expect((await limiter.take(policy(limit))).allowed).toBe(false)
        state.now = midnight
        expect(await spend(limiter, policy(limit), limit * 2)).toBe(limit)
      }),
      { numRuns: 50 },
    )
  })

  test('a higher tier bought during the day applies its larger limit at once, minus the calls already made', async () => {
    const { gateway } = world()
    const limiter = gateway()
    expect(await spend(limiter, policy(100), 150)).toBe(100)
    const allowed = await spend(limiter, policy(5000), 6000)
    expect(allowed).toBe(4900)
  })

  test('the loss of Redis exceeds the limit by at most one percent', async () => {
    for (const limit of [100, 5000]) {
      const { state, counters, gateway } = world()
      const all = [gateway(), gateway()]
      let allowed = 0
      for (let call = 0; call < limit * 2; call += 1) {
        if (call === Math.floor(limit / 3)) {
          counters.clear()
          // The edge flushes when the connection closes.
          for (const one of all) await one.flush()
        }
        if (call === Math.floor(limit / 2)) {
          state.redisUp = false
          for (const one of all) await one.flush()
        }
        if (call === Math.floor(limit / 1.5)) {
          state.redisUp = true
          counters.clear()
        }
        const one = all[call % 2]
        if (one !== undefined && (await one.take(policy(limit))).allowed) allowed += 1
      }
      expect(allowed).toBeLessThanOrEqual(Math.ceil(limit * 1.01))
      expect(allowed).toBeGreaterThanOrEqual(Math.floor(limit * 0.98))
    }
  })

  test('a lease of a minute is a twentieth of the limit, and one of a day half a percent', async () => {
    const ofMinute = policyOf({ name: 'documents', key: '192.0.2.7', limit: 600, windowSec: 60, durable: false })
    for (const [rule, leased] of [
      [ofMinute, 30],
      [policy(600), 3],
      [{ ...ofMinute, limit: 10 }, 1],
    ] as const) {
      const { gateway, counters } = world()
      const limiter = gateway()
      expect(await spend(limiter, rule, 1)).toBe(1)
      expect([...counters.values()]).toEqual([leased])
      expect(await spend(limiter, rule, rule.limit)).toBe(rule.limit - 1)
    }
  })

  test('closing returns leased calls that were not used', async () => {
    const { gateway, counters, sums } = world()
    const limiter = gateway()
    await spend(limiter, policy(5000), 3)
    await limiter.close()
    expect([...counters.values()]).toEqual([3])
    expect([...sums.values()]).toEqual([3])
  })
})
