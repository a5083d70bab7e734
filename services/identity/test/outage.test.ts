import { openPool, sql } from '@svc/postgres'
import { Redis } from 'ioredis'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { forgetEnded } from '#credentials/jobs/forget-ended.ts'
import { newWallet, openHarness, refused } from './harness.ts'

const on = opened(() => openHarness())

test('while Redis is down, signing in answers 503 and everything else works', async () => {
  const { answer, caller } = await on.register()
  const session = await on.signIn()
  const proof = await on.prove(newWallet(), 'session')
  await on.restart({ SVC_REDIS_URL: 'redis://127.0.0.1:1' })
  for (const call of [() => on.challenge(newWallet().address), () => on.ask.openSession(proof)])
    await expect(call()).rejects.toThrow('temporarily_unavailable')
  expect((await on.resolveKey(answer.api_key))?.account_id).toBe(answer.user_id)
  expect((await on.ask.createKey({}, { caller })).ok).toBe(true)
  const next = await on.ask.refreshSession({ refresh_token: session.answer.refresh_token })
  expect((await on.resolveToken(next.token))?.account_id).toBe(session.answer.user_id)
  await on.restart({})
  expect((await on.ask.openSession(proof)).ok).toBe(true)
})

test('everything that identity stores in Redis has its own prefix and lives at most 5 minutes', async () => {
  const redis = new Redis(on.stack.redisUrl)
  try {
    await redis.flushdb()
    for (const purpose of ['register', 'key', 'session'] as const) await on.challenge(newWallet().address, purpose)
    const keys = await redis.keys('*')
    expect(keys).toHaveLength(3)
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

test('sessions over for 30 days, pair codes older than 30 days and keys over for a year are deleted, and nothing else is', async () => {
  const day = 86_400_000
  const [ended, live] = [await on.signIn(), await on.signIn()]
  await on.ask.createPairCode({}, { caller: live.caller })
  await on.ask.endSession({}, { caller: ended.caller })
  const { answer, caller } = await on.register()
  await refused(on.ask.pairAgent({ code: '0000-0000' }, { caller }))
  await on.ask.createKey({ expires_at: new Date(on.clock.now().getTime() + day).toISOString() }, { caller })
  const pool = await openPool(on.stack.databaseOf('identity').url)
  /** What is kept; the service runs the job too, so what one call of it deletes is not known. */
  const kept = async () =>
    pool.one(
      sql.type(z.object({ sessions: z.number(), keys: z.number(), codes: z.number() }))`
        SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM api_keys) AS keys,
               (SELECT count(*) FROM pair_codes) + (SELECT count(*) FROM wrong_pair_codes) AS codes`,
    )
  try {
    const before = await kept()
    const job = forgetEnded({ pool }, on.clock)
    const { signal } = new AbortController()
    on.clock.advance(29 * day)
    await job(signal)
    expect(await kept()).toEqual(before)
    const refreshed = await on.ask.refreshSession({ refresh_token: live.answer.refresh_token })
    on.clock.advance(2 * day)
    // The code, and the wrong one that an agent showed.
    await job(signal)
    expect(await kept()).toMatchObject({ codes: before.codes - 2 })
    expect((await on.ask.refreshSession({ refresh_token: refreshed.refresh_token })).ok).toBe(true)
    on.clock.advance(366 * day)
    await job(signal)
    expect(await kept()).toMatchObject({ keys: before.keys - 1 })
    expect(await on.resolveKey(answer.api_key)).not.toBeNull()
  } finally {
    await pool.end()
  }
})
