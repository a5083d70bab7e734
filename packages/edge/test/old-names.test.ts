import { contract, operation } from '@svc/contract'
import { openApi, routesOf } from '@svc/edge'
import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deprecationsOf } from '../src/deprecation.ts'
import { press, startWorld } from './fixture.ts'

const world = opened(() => startWorld())
const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}${path}`, { headers: { 'x-svc-user-key': world.key, ...headers } })
const BATCH = 'application/cloudevents-batch+json'

describe('an old route', () => {
  test('says in every answer since when it is old, when it goes and what replaces it, also in a refusal', async () => {
    const announced = {
      deprecation: '@1795305600',
      sunset: 'Mon, 22 Nov 2027 00:00:00 GMT',
      link: '</news/a%20b>; rel="successor-version", </deprecations>; rel="deprecation"',
    }
    const [answer, refused] = [await read('/papers/a%20b'), await read('/papers/a%20b', { 'x-svc-user-key': 'nobody' })]
    expect([answer.status, refused.status]).toEqual([200, 401])
    for (const { headers } of [answer, refused]) expect(Object.fromEntries(headers)).toMatchObject(announced)
    const current = await read('/leaflets/none')
    expect(current.headers.get('deprecation')).toBeNull()
    expect(current.headers.get('link')).toBeNull()
  })

  test('is listed with its successor, and is deprecated in the OpenAPI document', () => {
    const routes = routesOf([press as never])
    expect(deprecationsOf(routes).items).toEqual([
      {
        route: 'GET /papers/{topic}',
        member: null,
        successor: 'GET /news/{topic}',
        deprecated_at: '2026-11-22T00:00:00.000Z',
        sunset_at: '2027-11-22T00:00:00.000Z',
      },
      {
        route: 'GET /headlines/{topic}',
        member: null,
        successor: 'GET /news/{topic}',
        deprecated_at: '2026-11-22T00:00:00.000Z',
        sunset_at: '2027-11-22T00:00:00.000Z',
      },
    ])
    const { paths } = openApi({
      contracts: [press as never],
      routes,
      refusals: new Map(),
      publicUrl: 'http://127.0.0.1',
      version: '1',
      examples: {},
      dailyLimits: [1, 1, 1],
      minuteLimits: { account: 1, hub_read: 1, hub_write: 1, hub_exit: 1 },
      openLimits: { perMinute: 1, perDay: 1 },
    }) as { paths: Record<string, { get: { deprecated?: boolean; responses: { 200: { headers: object } } } }> }
    expect(paths['/papers/{topic}']?.get.deprecated).toBe(true)
    expect(Object.keys(paths['/papers/{topic}']?.get.responses[200].headers ?? {})).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    )
    expect(paths['/leaflets/{name}']?.get.deprecated).toBeUndefined()
  })

  test('cannot be declared with a sunset sooner than half a year, or a successor its callers cannot name', () => {
    const declare = (sunset: string, successor: `/${string}`) => () =>
      contract('old', {
        title: 'Old',
        operations: {
          read: operation({
            summary: 'Read',
            auth: 'open',
            http: 'GET /old/{a}',
            input: z.strictObject({ a: z.string() }),
            success: { 200: z.object({}) },
            deprecated: { since: '2026-11-22', sunset, successor },
          }),
        },
      })
    expect(declare('2027-01-01', '/new/{a}')).toThrow(/half a year/)
    expect(declare('2027-11-22', '/new/{b}')).toThrow(/no \{b\}/)
    expect(declare('2027-11-22', '/new/{a}')).not.toThrow()
  })
})

describe('a list under its own media type', () => {
  test('is the array alone, page by page along the links, and equals the ordinary answer', async () => {
    world.publish('paged', 120)
    const seen: number[] = []
    let path: string | undefined = '/papers/paged?since=0'
    while (path !== undefined) {
      const answer: Response = await read(path, { accept: BATCH })
      expect([answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
        `${BATCH}; charset=utf-8`,
        'accept',
      ])
      const items = (await answer.json()) as { seq: number }[]
      seen.push(...items.map(({ seq }) => seq))
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      path = items.length === 0 ? undefined : next
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
    const plain = await read('/papers/paged?since=100')
    expect(plain.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await plain.json()).toMatchObject({ next_since: 120 })
  })

  test('is not sent to callers who take anything', async () => {
    const answer = await read('/papers/paged', { accept: '*/*' })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })
})
