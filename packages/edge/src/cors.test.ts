import { contract, operation } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cors } from './cors.ts'
import { openHttp } from './http.ts'
import { routesOf } from './routes.ts'

const page = 'https://hub.example'
const read = { summary: 'Read', input: z.strictObject({}), success: { 200: z.object({}) } } as const
const shop = contract('shop', {
  title: 'Shop',
  operations: {
    readPrices: operation({ ...read, auth: 'open', http: 'GET /prices' }),
    readOrders: operation({ ...read, auth: 'account', http: 'GET /orders' }),
  },
})
const { app } = openHttp([], undefined)
beforeAll(async () => {
  cors(app, routesOf([shop]), [page])
  app.get('/prices', async () => ({}))
  app.get('/orders', async () => ({}))
  await app.ready()
})
afterAll(() => app.close())

const ask = async (url: string, origin?: string, asked?: string) => {
  const { statusCode, headers } = await app.inject({
    method: asked === undefined ? 'GET' : 'OPTIONS',
    url,
    headers: {
      ...(origin === undefined ? {} : { origin }),
      ...(asked === undefined || asked === '' ? {} : { 'access-control-request-method': asked }),
    },
  })
  return {
    status: statusCode,
    origin: headers['access-control-allow-origin'],
    methods: headers['access-control-allow-methods'],
    vary: headers['vary'],
  }
}

test('pages of any origin may read open routes, and pages of a configured origin may use every route', async () => {
  const [any, own] = ['https://elsewhere.example', page]
  expect(await ask('/prices', any)).toMatchObject({ status: 200, origin: '*' })
  expect(await ask('/orders', any)).toMatchObject({ status: 200, origin: undefined })
  expect(await ask('/orders', own)).toMatchObject({ status: 200, origin: own })
  expect(await ask('/prices')).toMatchObject({ status: 200, origin: undefined })
})

test('an answer that depends on the origin carries Vary for shared caches, even for a request without an origin', async () => {
  for (const origin of [undefined, page, 'https://elsewhere.example'])
    expect(await ask('/prices', origin)).toMatchObject({ vary: 'Origin' })
})

test('a preflight gets the rights of its origin; any other OPTIONS request gets 204 without rights', async () => {
  expect(await ask('/orders', page, 'POST')).toMatchObject({
    status: 204,
    origin: page,
    methods: 'GET, POST, PUT, DELETE',
  })
  expect(await ask('/prices', 'https://elsewhere.example', 'GET')).toMatchObject({
    status: 204,
    origin: '*',
    methods: 'GET',
  })
  const none = { status: 204, origin: undefined, methods: '' }
  expect(await ask('/orders', 'https://elsewhere.example', 'POST')).toMatchObject(none)
  expect(await ask('/orders', undefined, '')).toMatchObject(none)
})

test('a page of a configured origin may send what the SDK, clients of the tools and clients of x402 send', async () => {
  const { headers } = await app.inject({
    method: 'OPTIONS',
    url: '/orders',
    headers: { origin: page, 'access-control-request-method': 'POST' },
  })
  const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
  const ofSdk = ['authorization', 'content-type', 'idempotency-key', 'x-svc-user-key', 'last-event-id']
  const ofTools = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']
  expect(allowed).toEqual(expect.arrayContaining([...ofSdk, ...ofTools, 'payment-signature']))
})
