import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startWorld } from './fixture.ts'

const world = opened(() => startWorld())

test('every call with a valid agent key is reported as activity of the agent, other calls are not', async () => {
  const read = (headers: Record<string, string>) => fetch(`${world.url}/leaflets/none`, { headers })
  expect((await read({})).status).toBe(401)
  expect((await read({ 'x-svc-user-key': world.key.slice(0, -1) })).status).toBe(401)
  expect(world.seen).toEqual([])
  expect((await read({ 'x-svc-user-key': world.key })).status).toBe(200)
  expect((await read({ 'x-svc-user-key': world.key })).status).toBe(200)
  expect(world.seen).toEqual(['7 http', '7 http'])
})

test('a key and a token together are rejected with an answer that names both', async () => {
  const headers = { 'x-svc-user-key': world.key, authorization: 'Bearer a.b.c' }
  const answer = await fetch(`${world.url}/leaflets/none`, { headers })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ code: 'unauthenticated', detail: expect.stringContaining('together') })
})
