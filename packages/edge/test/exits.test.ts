import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { keyOf, startWorld } from './fixture.ts'

const world = opened(() => startWorld({ minutes: { hub_write: 2, hub_exit: 3 } }))

const move = async (accountId: number, body: object) => {
  const answer = await fetch(`${world.url}/moves`, {
    method: 'POST',
    headers: { 'x-svc-user-key': keyOf(accountId), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [answer.status, answer.headers.get('ratelimit-policy')?.split(';')[0]]
}

test('a call whose body says that it only reduces counts as an exit, which no other traffic uses up', async () => {
  for (const _ of [1, 2]) expect(await move(3, {})).toEqual([200, '"hub_write"'])
  expect(await move(3, {})).toEqual([429, '"hub_write"'])
  expect(await move(3, { only_out: false })).toEqual([429, '"hub_write"'])
  for (const _ of [1, 2, 3]) expect(await move(3, { only_out: true })).toEqual([200, '"hub_exit"'])
  // With both used up the body is not read.
  for (const only_out of [true, false]) expect((await move(3, { only_out }))[0]).toBe(429)
})

test('words that are not true make no exit', async () => {
  for (const only_out of ['true', 1, [true], null]) expect((await move(4, { only_out }))[1]).toBe('"hub_write"')
})
