import { rmSync } from 'node:fs'
import { freePort, withClient } from '@svc/servers'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { firstDay } from '../demo/first-day.ts'
import { awayFromMidnight } from '../demo/people.ts'
import { createWalk } from '../demo/walk.ts'
import { preparePlatform, type Prepared } from '../dev/platform.ts'
import { startInProcess, type Running } from '../dev/services.ts'
import { QUIET_REPLAY } from '../dev/venues.ts'
import { ask, untilServed } from './client.ts'
import { newDataFolder } from './data-folder.ts'
import { registerAgent } from './people.ts'

let dataDir: string
let platform: Prepared
let services: Running
let base: string

beforeAll(async () => {
  dataDir = newDataFolder('first-day')
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  platform = await preparePlatform({ dataDir, publicUrl: base, durable: false, venues: QUIET_REPLAY })
  services = await startInProcess(platform, () => ({
    SVC_PORT: String(port),
    SVC_OPEN_LIMIT_MINUTE: '1000',
    SVC_LOG_LEVEL: 'silent',
  }))
})
afterAll(async () => {
  await services.stop()
  await platform.servers.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('first day', () => {
  test('goes as the documents say, from discovery to a bought tier, twice on one platform', async () => {
    const quiet = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      const walk = createWalk(base, { keyed: true })
      await firstDay(walk, platform.house)
      await firstDay(walk, platform.house)
      expect(walk.steps()).toBeGreaterThan(60)
    } finally {
      quiet.mockRestore()
    }
  })
})

/** Returns the first answer of up to 300 calls that refuses. */
async function calledUntilRefused<T>(call: () => Promise<T | null>): Promise<T | null> {
  for (let calls = 0; calls < 300; calls += 1) {
    const refused = await call()
    if (refused !== null) return refused
  }
  return null
}

function storedUsage(accountId: number): Promise<number> {
  const url = new URL(platform.servers.postgres.url)
  url.pathname = '/platform'
  return withClient(url.href, async (client) => {
    const text = 'SELECT coalesce(sum(used), 0)::int AS used FROM gateway.usage WHERE account_id = $1'
    return (await client.query<{ used: number }>(text, [accountId])).rows[0]?.used ?? 0
  })
}

describe('quota', () => {
  test('the 101st call of a Free account is refused until midnight UTC', async () => {
    await awayFromMidnight(createWalk(base))
    const agent = await untilServed(() => registerAgent(base))
    let [served, outages] = [0, 0]
    const call = async () => {
      const before = Date.now() / 1000
      const answer = await ask(base, '/subscriptions/cherries/history', { key: agent.key })
      if (answer.status === 200) served += 1
      // A service that is too slow for its time limit: the call may have been counted.
      else if (answer.status === 503) outages += 1
      else return { ...answer, before, after: Date.now() / 1000 }
      return null
    }
    const { before, after, ...refused } = (await calledUntilRefused(call)) ?? expect.fail('no call was refused')
    expect(served).toBeLessThanOrEqual(100)
    expect(served + outages).toBeGreaterThanOrEqual(100)
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['daily'] })
    const midnight = Math.ceil(before / 86_400) * 86_400
    // The answer was written between the two readings of the clock, and whole seconds are rounded up.
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(midnight - after - 1)
    expect(retryAfter).toBeLessThan(midnight - before + 2)
  })

  test('the used part of a quota survives the loss of Redis', async () => {
    await awayFromMidnight(createWalk(base))
    const agent = await untilServed(() => registerAgent(base))
    let [served, outages] = [0, 0]
    const call = async () => {
      const { status } = await ask(base, '/subscriptions/cherries/history', { key: agent.key })
      if (status === 200) served += 1
      // As above, the call may have been counted.
      if (status === 503) outages += 1
      return status
    }
    while (served < 60) expect([200, 503]).toContain(await call())
    // What was used is written to Postgres a moment later.
    await eventually(async () => (await storedUsage(agent.id)) >= 60)
    await platform.servers.redis.kill()
    await platform.servers.redis.start()
    await eventually(async () => (await call()) === 429)
    expect(served).toBeLessThanOrEqual(101)
    expect(served + outages).toBeGreaterThanOrEqual(99)
  })

  test('without Redis reads go on and sign-in answers 503', async () => {
    const agent = await untilServed(() => registerAgent(base))
    await platform.servers.redis.kill()
    try {
      expect((await ask(base, '/subscriptions/cherries/balance', { key: agent.key })).status).toBe(200)
      expect((await ask(base, '/prices')).status).toBe(200)
      const nonce = await ask(base, '/auth/wallet/nonce', { body: { wallet_address: agent.wallet.address } })
      expect(nonce.status).toBe(503)
      expect(nonce.body.code).toBe('temporarily_unavailable')
    } finally {
      await platform.servers.redis.start()
    }
    await eventually(
      async () =>
        (await ask(base, '/auth/wallet/nonce', { body: { wallet_address: agent.wallet.address } })).status === 200,
    )
  })
})
