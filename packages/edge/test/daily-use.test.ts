import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { keyOf, startWorld } from './fixture.ts'

const LIMIT = 5
const world = opened(() => startWorld({ dailyFree: LIMIT }))

const read = async (path: string, account = 7) => {
  const answer = await fetch(`${world.url}${path}`, { headers: { 'x-svc-user-key': keyOf(account) } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('an answer says how many requests of the day its caller has used, counts none, and works when none is left', async () => {
  const resets_at = expect.stringMatching(/T00:00:00\.000Z$/)
  for (let used = 0; used <= LIMIT; used += 1) {
    const answer = await read('/account')
    expect(answer).toEqual({
      status: 200,
      body: { ok: true, requests: { limit: LIMIT, used, remaining: LIMIT - used, resets_at } },
    })
    expect((await read('/leaflets/none')).status).toBe(used < LIMIT ? 200 : 429)
  }
  expect((await read('/account', 8)).body['requests']).toMatchObject({ used: 0 })
})
