import { request, type IncomingMessage } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { keyOf, startWorld, type World } from './fixture.ts'

let world: World
afterEach(() => world.close())

const NOBODY = 200
const TOKEN = 'aaaa.bbbb.cccc'
const read = async (headers: Record<string, string>) => {
  const answer = await fetch(`${world.url}/leaflets/none`, { headers })
  await answer.text()
  return answer.status
}

test('unknown credentials from an address without calls left this minute are rejected without a request to identity', async () => {
  world = await startWorld({ openLimits: { perMinute: 6, perDay: 1_000 } })
  expect(await read({ 'x-svc-user-key': keyOf(1) })).toBe(200)
  const guesses = Array.from({ length: 6 }, (_, index) => ({ 'x-svc-user-key': keyOf(NOBODY + index) }))
  for (const guess of guesses) expect(await read(guess)).toBe(401)
  expect(await read({})).toBe(429)
  const before = world.asked()
  for (let index = 6; index < 26; index += 1) expect(await read({ 'x-svc-user-key': keyOf(NOBODY + index) })).toBe(429)
  expect(await read({ authorization: `Bearer ${TOKEN}` })).toBe(429)
  expect(world.asked()).toBe(before)
  // Who was let in before still is, from the same address.
  expect(await read({ 'x-svc-user-key': keyOf(1) })).toBe(200)
})

test('guessed credentials from an address without calls left today cause at most its minute limit of requests to identity', async () => {
  world = await startWorld({ openLimits: { perMinute: 6, perDay: 3 } })
  for (let index = 0; index < 30; index += 1) await read({ 'x-svc-user-key': keyOf(NOBODY + index) })
  expect(world.asked()).toBeLessThanOrEqual(6)
})

test('a spent allowance of strangers advises a credential only to who sent none', async () => {
  world = await startWorld({ openLimits: { perMinute: 1, perDay: 1_000 } })
  await read({})
  const fixOf = async (headers: Record<string, string>) => {
    const answer = await fetch(`${world.url}/leaflets/none`, { headers })
    expect(answer.status).toBe(429)
    return ((await answer.json()) as { fix?: string }).fix
  }
  expect(await fixOf({})).toContain('call with a key or a session')
  for (const headers of [{ 'x-svc-user-key': keyOf(NOBODY) }, { authorization: `Bearer ${TOKEN}` }])
    expect(await fixOf(headers)).toBeUndefined()
})

const follow = (key: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'x-svc-user-key': key, accept: 'text/event-stream' }
    request(`${world.url}/news/quiet`, { headers, agent: false }, resolve).on('error', reject).end()
  })

test('every answer 401 names both ways to authenticate, and no other does', async () => {
  world = await startWorld()
  const challenge = 'ApiKey realm="Cherry platform", header="X-SVC-User-Key", Bearer realm="Cherry platform"'
  for (const headers of [{}, { 'x-svc-user-key': keyOf(NOBODY) }, { authorization: `Bearer ${TOKEN}` }] as const) {
    const refused = await fetch(`${world.url}/leaflets/none`, { headers })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, challenge])
  }
  // A service refuses what its own credential does not open.
  const closed = await fetch(`${world.url}/desk/keep`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ desk_token: 'of-closed' }),
  })
  expect([closed.status, closed.headers.get('www-authenticate')]).toEqual([401, challenge])
  const good = await fetch(`${world.url}/leaflets/none`, { headers: { 'x-svc-user-key': keyOf(1) } })
  expect([good.status, good.headers.get('www-authenticate')]).toEqual([200, null])
})

test('accounts without a paid tier cannot occupy the streams reserved for paying accounts', async () => {
  const PAYING = 150
  world = await startWorld({ tierOf: (accountId) => (accountId >= PAYING ? 1 : 0) })
  const readers: IncomingMessage[] = []
  for (let account = 1; account <= 101; account += 1)
    readers.push(...(await Promise.all(Array.from({ length: 10 }, () => follow(keyOf(account))))))
  const paying = await Promise.all(Array.from({ length: 10 }, () => follow(keyOf(PAYING))))
  const statusesOf = (all: readonly IncomingMessage[]) => all.map(({ statusCode }) => statusCode)
  expect(statusesOf(readers).filter((status) => status === 200)).toHaveLength(1_000)
  expect(statusesOf(readers).filter((status) => status === 429)).toHaveLength(10)
  expect(statusesOf(paying)).toEqual(Array<number>(10).fill(200))
  for (const reader of [...readers, ...paying]) reader.destroy()
})
