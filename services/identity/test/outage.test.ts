import { openPool } from '@svc/postgres'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetSessions } from '../src/store/sessions.ts'
import { newWallet, openHarness, type Harness } from './harness.ts'

let on: Harness
beforeAll(async () => {
  on = await openHarness()
})
afterAll(() => on?.close())

test('while Redis is gone, signing in answers 503 and everything else goes on', async () => {
  const { answer, caller } = await on.register()
  const session = await on.signIn()
  const proof = await on.prove(newWallet(), 'session')
  await on.restart({ SVC_REDIS_URL: 'redis://127.0.0.1:1' })
  for (const call of [on.challenge(newWallet().address), on.ask.openSession(proof)]) {
    expect(String(await call.catch((error: unknown) => error))).toContain('temporarily_unavailable')
  }
  expect((await on.resolveKey(answer.api_key))?.account_id).toBe(answer.user_id)
  expect((await on.ask.createKey({}, { caller })).ok).toBe(true)
  const next = await on.ask.refreshSession({ refresh_token: session.answer.refresh_token })
  expect((await on.resolveToken(next.token))?.account_id).toBe(session.answer.user_id)
  await on.restart({})
  expect((await on.ask.openSession(proof)).ok).toBe(true)
})

test('everything that identity keeps in Redis is under its own name and lives 5 minutes at most', async () => {
  const redis = new Redis(on.stack.redisUrl)
  try {
    await redis.flushdb()
    for (const purpose of ['register', 'key', 'session'] as const) await on.challenge(newWallet().address, purpose)
    const keys = await redis.keys('*')
    expect(keys).toHaveLength(6)
    for (const key of keys) {
      expect(key).toMatch(/^id:/)
      const seconds = await redis.ttl(key)
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(300)
    }
  } finally {
    redis.disconnect()
  }
})

test('what is over for long is forgotten', async () => {
  const day = 86_400_000
  const { caller } = await on.signIn()
  await on.ask.endSession({}, { caller })
  on.clock.advance(31 * day)
  const pool = await openPool(on.stack.databaseOf('identity').url)
  try {
    expect(await forgetSessions(pool, new Date(on.clock.now().getTime() - 30 * day), 100)).toBeGreaterThan(0)
    expect(await forgetSessions(pool, new Date(on.clock.now().getTime() - 30 * day), 100)).toBe(0)
  } finally {
    await pool.end()
  }
})
