import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { startWorld } from './fixture.ts'

const world = opened(() => startWorld())

test('a query with the longest calldata reaches its route; a longer one is rejected as too long', async () => {
  const read = async (characters: number) => {
    const headers = { 'x-svc-user-key': world.key }
    const answer = await fetch(`${world.url}/leaflets/none?data=0x${'f'.repeat(characters - 2)}`, { headers })
    return { status: answer.status, ...((await answer.json()) as { code: string; errors?: unknown }) }
  }
  // The route has no such member, and says so.
  expect(await read(32_768)).toMatchObject({ status: 400, errors: [{ pointer: '/query/data' }] })
  expect(await read(41_000)).toMatchObject({ status: 431, code: 'headers_too_large' })
})
