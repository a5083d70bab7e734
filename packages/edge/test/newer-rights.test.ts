import type { Tier } from '@svc/contract'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { keyOf, startWorld } from './fixture.ts'

let tier: Tier = 0
const world = opened(() => startWorld({ tierOf: () => tier }))

test('a call is judged by what its account may do now, before it is refused by what is cached', async () => {
  const read = async (key: string) => {
    const answer = await fetch(`${world.url}/extra`, { headers: { 'x-svc-user-key': key } })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  const before = await fetch(`${world.url}/leaflets/none`, { headers: { 'x-svc-user-key': keyOf(8) } })
  expect(before.status).toBe(200)
  tier = 1
  expect(await read(keyOf(8))).toEqual([200, undefined])
  tier = 0
  expect(await read(keyOf(9))).toEqual([403, 'tier_required'])
})
