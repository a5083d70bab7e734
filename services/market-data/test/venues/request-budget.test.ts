import { emptyRedisDatabase } from '@svc/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VenueError } from '#venues/rules/venue.ts'
import { requestBudget, burstOf } from '#venues/request-budget.ts'

/** A tenth of a unit flows in each second: nothing to speak of while a test runs. */
const slow = { units: 400, windowMs: 4_000_000 }
const BURST = burstOf(slow)
let redis: Redis
let address = 0
const open = (limits = slow, name = `address-${(address += 1)}`) => requestBudget(redis, 'gate', name, { main: limits })
const taken = async (budget: ReturnType<typeof open>, cost: number, priority: 'priority' | 'rotation' | 'backfill') =>
  budget.take(cost, priority, 0).then(
    () => true,
    (error: unknown) => {
      if (error instanceof VenueError && error.kind === 'budget') return false
      throw error
    },
  )

const timeOfRedis = async () => {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1_000 + Number(micros) / 1_000
}

beforeAll(async () => {
  redis = new Redis(await emptyRedisDatabase())
})
afterAll(() => redis.disconnect())

describe('request budget', () => {
  it('is shared by all processes behind an address, and never grants more than it has to concurrent calls', async () => {
    const [here, there] = [open(slow, 'shared'), open(slow, 'shared')]
    const answers = await Promise.all(
      Array.from({ length: BURST * 2 }, (_, n) => taken(n % 2 === 0 ? here : there, 1, 'priority')),
    )
    expect(answers.filter(Boolean).length).toBe(BURST)
    expect(await taken(open(), 1, 'priority')).toBe(true)
  })

  it('reserves a part for higher priorities: scans before the rotation before history', async () => {
    const budget = open()
    const until = async (priority: 'priority' | 'rotation' | 'backfill') => {
      let count = 0
      while (await taken(budget, 1, priority)) count += 1
      return count
    }
    const [backfill, rotation, priority] = [await until('backfill'), await until('rotation'), await until('priority')]
    expect([backfill, rotation, priority]).toEqual([BURST * 0.4, BURST * 0.35, BURST * 0.25])
  })

  it('admits a call that costs the whole budget when the bucket is full', async () => {
    expect(await taken(open(), BURST, 'backfill')).toBe(true)
  })

  it('never grants more than a full bucket and what flows in, by the rate of the venue', async () => {
    const window = { ...slow, units: 80, windowMs: 1_000 }
    const budget = open(window)
    const begunMs = await timeOfRedis()
    let granted = 0
    while (granted < 100) if (await taken(budget, 1, 'priority')) granted += 1
    const inWindow = (window.units * ((await timeOfRedis()) - begunMs)) / window.windowMs
    // What may be used at once, and what flowed in meanwhile by the clock of the bucket.
    expect(granted).toBeLessThanOrEqual(burstOf(window) + inWindow + 1)
  })

  it('is closed for all processes until the time that the venue named, and a shorter time does not open it', async () => {
    const [here, there] = [open(slow, 'closed'), open(slow, 'closed')]
    await here.close(60_000)
    await there.close(2_000)
    expect(await taken(there, 1, 'priority')).toBe(false)
    expect(await here.closedForMs()).toBeGreaterThan(50_000)
    await expect(there.take(1, 'priority', 0)).rejects.toMatchObject({ kind: 'budget' })
  })

  it('has pools that do not take from each other and are closed together', async () => {
    const budget = requestBudget(redis, 'gate', 'pools', { main: slow, slow: { units: 4, windowMs: 4_000_000 } })
    const from = (cost: Parameters<typeof budget.take>[0]) => budget.take(cost, 'priority', 0)
    await from({ pool: 'slow', units: 1 })
    await expect(from({ pool: 'slow', units: 1 })).rejects.toMatchObject({ kind: 'budget' })
    await from(1)
    await budget.close(60_000)
    await expect(from(1)).rejects.toMatchObject({ kind: 'budget' })
  })

  it('waits for at most the given time', async () => {
    const budget = open({ ...slow, units: 40, windowMs: 1_000 })
    while (await taken(budget, 1, 'priority'));
    await expect(budget.take(4, 'priority', 2_000)).resolves.toBeUndefined()
  })

  it('is granted to a call that was pending while its process was suspended for longer than a command timeout', async () => {
    const hasty = new Redis(await emptyRedisDatabase(), { maxRetriesPerRequest: 0, commandTimeout: 2_000 })
    await hasty.ping()
    const budget = requestBudget(hasty, 'gate', 'still', { main: { ...slow, units: 4_000 } })
    const takes = Array.from({ length: 300 }, () => budget.take(1, 'priority', 600_000))
    await takes[0]
    // The next one is on its way now.
    await new Promise((resolve) => setImmediate(resolve))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    await expect(Promise.all(takes)).resolves.toHaveLength(300)
    hasty.disconnect()
  })

  it('rejects every call without Redis', async () => {
    const lost = new Redis({ port: 9, lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null })
    lost.on('error', () => {})
    const budget = requestBudget(lost, 'gate', 'lost', { main: slow })
    await expect(budget.take(1, 'priority', 0)).rejects.toMatchObject({ kind: 'budget' })
    lost.disconnect()
  })
})
