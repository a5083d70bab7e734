import { eventually, opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { awayFromMidnight } from '../../demo/people.ts'
import { createWalk } from '../../demo/walk.ts'
import { registerAgent } from '../people.ts'
import type { RawAnswer } from './http.ts'
import { startWorld } from './world.ts'

const DAILY = 30
const PER_MINUTE = 20
const HUB_READS = 40

const world = opened(() =>
  startWorld({
    SVC_DAILY_LIMIT_FREE: String(DAILY),
    SVC_OPEN_LIMIT_MINUTE: String(PER_MINUTE),
    SVC_HUB_READ_LIMIT_MINUTE: String(HUB_READS),
  }),
)

/** A route with a key that the daily allowance counts; purchases and exits are counted apart. */
const COUNTED = '/subscriptions/cherries/history'
const routeOf = (path: string) => world.routes.find((route) => route.method === 'GET' && route.path === path) ?? null
const from = (address: string) => ({ 'x-forwarded-for': address })

async function get(path: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const answer = await world.send({ method: 'GET', path, headers })
  expect(world.conformance.problemsOf(routeOf(path), 'GET', answer)).toEqual([])
  return answer
}

const leftOf = (answer: RawAnswer) => Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1])

describe('the allowance of a day', () => {
  test('is counted down to nothing, then refused with the time of the reset', async () => {
    await awayFromMidnight(createWalk(world.url))
    const agent = await registerAgent(world.url)
    const headers = { ...from('10.0.0.1'), 'x-svc-user-key': agent.key }
    const left: number[] = []
    for (let call = 0; call < DAILY; call += 1) {
      const answer = await get(COUNTED, headers)
      expect([call, answer.status]).toEqual([call, 200])
      expect(answer.headers['ratelimit-policy']).toBe(`"daily";q=${DAILY};w=86400`)
      left.push(leftOf(answer))
    }
    expect(left).toEqual(Array.from({ length: DAILY }, (_, index) => DAILY - 1 - index))
    const untilMidnight = () => (86_400_000 - (Date.now() % 86_400_000)) / 1000
    const before = untilMidnight()
    const refused = await get(COUNTED, headers)
    expect([refused.status, (refused.json as { code: string }).code]).toEqual([429, 'rate_limited'])
    const seconds = Number(refused.headers['retry-after'])
    // The answer was written between the two readings of the clock, and whole seconds are rounded up.
    expect(seconds).toBeGreaterThan(untilMidnight() - 1)
    expect(seconds).toBeLessThan(before + 2)
    expect((refused.json as { 'violated-policies': string[] })['violated-policies']).toEqual(['daily'])
    const { json } = await get('/subscriptions/status', headers)
    expect(json).toMatchObject({ requests: { limit: DAILY, used: DAILY, remaining: 0 } })
  })

  test('is shared by all keys of an account and by no other account', async () => {
    const one = await registerAgent(world.url)
    const other = await registerAgent(world.url)
    const made = await world.send({
      method: 'POST',
      path: '/auth/agent/keys',
      headers: { ...from('10.0.0.2'), 'content-type': 'application/json', 'x-svc-user-key': one.key },
      body: '{"name":"second"}',
    })
    const second = (made.json as { api_key: string }).api_key
    const before = leftOf(await get(COUNTED, { 'x-svc-user-key': one.key }))
    expect(leftOf(await get(COUNTED, { 'x-svc-user-key': second }))).toBe(before - 1)
    expect(leftOf(await get(COUNTED, { 'x-svc-user-key': other.key }))).toBe(DAILY - 1)
  })

  test('also counts open routes that are called with a key', async () => {
    const agent = await registerAgent(world.url)
    const headers = { 'x-svc-user-key': agent.key }
    const before = leftOf(await get(COUNTED, headers))
    expect(leftOf(await get('/prices', headers))).toBe(before - 1)
  })
})

describe('the allowance of a minute under /hub', () => {
  test('is counted apart from the allowance of the day', async () => {
    const agent = await registerAgent(world.url)
    const headers = { ...from('10.0.0.9'), 'x-svc-user-key': agent.key }
    const route = world.routes.find(({ operation }) => operation.key === 'readOwnAgent') ?? null
    // If a new minute begins in between, a whole new allowance precedes the refusal.
    for (let call = 0; call <= 2 * HUB_READS; call += 1) {
      const answer = await world.send({ method: 'GET', path: '/hub/agents/me', headers })
      expect(world.conformance.problemsOf(route, 'GET', answer)).toEqual([])
      expect(answer.headers['ratelimit-policy']).toBe(`"hub_read";q=${HUB_READS};w=60`)
      if (answer.status === 429) {
        expect(call).toBeGreaterThanOrEqual(HUB_READS)
        expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
        expect(leftOf(await get(COUNTED, headers))).toBe(DAILY - 1)
        return
      }
    }
    throw new Error('nothing was refused')
  })
})

describe('calls without a key', () => {
  const minute = async (address: string) => {
    let answered = 0
    for (let call = 0; call < PER_MINUTE * 2 + 1; call += 1) {
      const answer = await get('/prices', from(address))
      if (answer.status === 429) {
        expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
        break
      }
      answered += 1
    }
    return answered
  }

  test('are counted per client address, an IPv6 one by its /64', async () => {
    // A new window may begin once during the calls.
    const first = await minute('192.0.2.1')
    expect(first).toBeGreaterThanOrEqual(PER_MINUTE)
    expect((await get('/prices', from('192.0.2.2'))).status).toBe(200)
    expect(await minute('2001:db8:1:2::1')).toBeGreaterThanOrEqual(PER_MINUTE)
    let neighbours = 0
    // The minute may end between the calls of one address and that of its neighbour, who is another one each time.
    await eventually(async () => {
      await minute('2001:db8:1:2::1')
      neighbours += 1
      expect((await get('/prices', from(`2001:db8:1:2:ffff::${neighbours}`))).status).toBe(429)
    })
    expect((await get('/prices', from('2001:db8:1:3::1'))).status).toBe(200)
  })

  test('count wrong credentials too, so that guessing is slow', async () => {
    const headers = { ...from('192.0.2.9'), 'x-svc-user-key': 'svc_nonsense_nonsense_nonsense' }
    const statuses = new Set<number>()
    for (let call = 0; call < PER_MINUTE * 2 + 1; call += 1) statuses.add((await get(COUNTED, headers)).status)
    expect([...statuses].sort((a, b) => a - b)).toEqual([401, 429])
  })
})
