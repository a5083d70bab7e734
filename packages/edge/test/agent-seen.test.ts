import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startWorld } from './fixture.ts'

const world = opened(() => startWorld())

test('every call with the good key of an agent shows that it is there, a call without one shows nothing', async () => {
  const read = (headers: Record<string, string>) => fetch(`${world.url}/leaflets/none`, { headers })
  expect((await read({})).status).toBe(401)
  expect((await read({ 'x-svc-user-key': world.key.slice(0, -1) })).status).toBe(401)
  expect(world.seen).toEqual([])
  expect((await read({ 'x-svc-user-key': world.key })).status).toBe(200)
  expect((await read({ 'x-svc-user-key': world.key })).status).toBe(200)
  expect(world.seen).toEqual(['7 http', '7 http'])
})

test('a key and a token together are refused, and the answer says that there were two', async () => {
  const headers = { 'x-svc-user-key': world.key, authorization: 'Bearer a.b.c' }
  const answer = await fetch(`${world.url}/leaflets/none`, { headers })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ code: 'unauthenticated', detail: expect.stringContaining('together') })
})
