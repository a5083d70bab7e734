import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { key, openShop } from './fixture.ts'

const DAILY = 12
const shop = opened(async () => {
  const opening = await openShop(DAILY)
  return { ...opening, stop: () => opening.close() }
})

const MODES = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-06-18': { versionNegotiation: { mode: 'legacy' } },
} as const satisfies Record<string, ClientOptions>

async function connected(options: ClientOptions, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'a client', version: '1' }, options)
  const url = new URL(`${shop.url}/mcp?profile=full`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}
const keyed = { 'x-svc-user-key': key }
const call = (client: Client, name: string, given: Record<string, unknown>) =>
  client.callTool({ name, arguments: given })

test.each(Object.entries(MODES))('a client of revision %s lists and calls the tools', async (_revision, options) => {
  const client = await connected(options)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['shop_hold', 'shop_order', 'shop_price'])
  expect(tools[2]).toMatchObject({
    title: 'Shop price',
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    outputSchema: { type: 'object', required: ['name', 'currency', 'cents'] },
  })
  const price = await call(client, 'shop_price', { name: 'tea', currency: 'eur' })
  const overHttp = await (await fetch(`${shop.url}/prices/tea?currency=eur`)).json()
  expect(price.structuredContent).toEqual(overHttp)
  await client.close()
})

test('a refusal is a result with the problem of the route, and an argument that no route knows is refused', async () => {
  const client = await connected(MODES['2026-07-28'], keyed)
  const gold = await call(client, 'shop_order', { name: 'gold', count: 1 })
  expect(gold).toMatchObject({ isError: true, structuredContent: { code: 'sold_out', status: 409, ok: false } })
  expect(JSON.stringify(gold.content)).toContain('All gold is gone.')
  const wrong = await call(client, 'shop_order', { name: 'tea', count: 0, color: 'red' })
  expect(wrong.structuredContent).toMatchObject({ code: 'invalid_request', errors: [{}, {}] })
  const nobody = await connected(MODES['2026-07-28'])
  const refused = await call(nobody, 'shop_order', { name: 'tea', count: 1 })
  expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'unauthenticated' } })
  await Promise.all([client.close(), nobody.close()])
})

test('names in a path lead to no other route', async () => {
  const client = await connected(MODES['2026-07-28'])
  for (const name of ['..', '.', '', '%2e%2e', '../prices/tea', 'a/b'])
    expect((await call(client, 'shop_price', { name })).structuredContent).toMatchObject(
      name === '' || /^\.+$/.test(name) ? { name: '-' } : { name },
    )
  await client.close()
})

test('calls count as those of their routes, come by the channel mcp, and are refused beyond the allowance', async () => {
  const client = await connected(MODES['2026-07-28'], keyed)
  expect(shop.seen.at(-1)).toBe('7 mcp')
  const results = []
  for (let n = 0; n < DAILY; n += 1) results.push(await call(client, 'shop_order', { name: 'tea', count: 1 }))
  expect(results.at(-1)).toMatchObject({ isError: true, structuredContent: { code: 'rate_limited', status: 429 } })
  const overHttp = await fetch(`${shop.url}/orders/tea`, {
    method: 'POST',
    headers: { ...keyed, 'content-type': 'application/json' },
    body: '{"count":1}',
  })
  expect(overHttp.status).toBe(429)
  expect(shop.seen.at(-1)).toBe('7 http')
  await client.close()
})

test('a tool whose switch is off is not listed, and a call answers that it is not available', async () => {
  const client = await connected(MODES['2026-07-28'])
  shop.show(false)
  try {
    expect((await client.listTools()).tools).toEqual([])
    const result = await call(client, 'shop_price', { name: 'tea' })
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'not_available' } })
    expect(JSON.stringify(result.content)).toContain('not available')
  } finally {
    shop.show(true)
  }
  await expect(call(client, 'shop_theft', {})).rejects.toThrow(/no tool shop_theft/)
  await client.close()
})
