import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { key, openShop, poorKey } from './fixture.ts'

const DAILY = 30
const shop = opened(async () => {
  const opening = await openShop(DAILY)
  return { ...opening, stop: () => opening.close() }
})

const MODES = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-06-18': { versionNegotiation: { mode: 'legacy' } },
} as const satisfies Record<string, ClientOptions>

async function connected(options: ClientOptions, headers: Record<string, string> = {}, query = '') {
  const client = new Client({ name: 'a client', version: '1' }, options)
  const url = new URL(`${shop.url}/mcp?profile=full${query}`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}
const keyed = { 'x-svc-user-key': key }
/** Sends a message of revision 2026-07-28 without a client. */
function sendMessage(id: unknown, method: string, params: object = {}): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return fetch(`${shop.url}/mcp?profile=full`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
  })
}
const call = (client: Client, name: string, given: Record<string, unknown>) =>
  client.callTool({ name, arguments: given })

test.each(Object.entries(MODES))('a client of revision %s lists and calls the tools', async (_revision, options) => {
  const client = await connected(options)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'hub_me',
    'shop_bake',
    'shop_hold',
    'shop_order',
    'shop_price',
    'shop_rare',
    'shop_trade',
  ])
  expect(tools[4]).toMatchObject({ title: 'Shop price' })
  expect(tools[4]?.annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
  expect(tools[3]?.annotations).toEqual({ destructiveHint: false, openWorldHint: false })
  expect(tools[4]).not.toHaveProperty('outputSchema')
  expect(tools[4]).not.toHaveProperty('_meta')
  const price = await call(client, 'shop_price', { name: 'tea', currency: 'eur' })
  const overHttp = await (await fetch(`${shop.url}/prices/tea?currency=eur`)).json()
  expect(price.structuredContent).toEqual(overHttp)
  await client.close()
})

test('a refusal is a result with the problem of the route, and an argument that no route knows is refused', async () => {
  const client = await connected(MODES['2026-07-28'], keyed)
  const gold = await call(client, 'shop_order', { name: 'gold', count: 1 })
  expect(gold).toMatchObject({ isError: true, structuredContent: { code: 'sold_out', status: 409, ok: false } })
  expect(gold.content).toEqual([{ type: 'text', text: JSON.stringify(gold.structuredContent) }])
  expect(gold.structuredContent).toMatchObject({ detail: 'All gold is gone.', fix: 'Choose another.' })
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

test('a strict list requires every member, and a call from it takes null for an absent one', async () => {
  const client = await connected(MODES['2026-07-28'], keyed, '&schemas=strict')
  expect(client.getInstructions()).toContain('Null means that a member of the input is absent.')
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'shop_order')?.inputSchema).toMatchObject({
    required: ['name', 'count', 'dry_run'],
    additionalProperties: false,
    properties: { dry_run: { anyOf: [{ type: 'boolean' }, { type: 'null' }] } },
  })
  const plain = await connected(MODES['2026-07-28'], keyed)
  // The first call of a client is answered by a server of the SDK, the next ones without.
  for (let n = 0; n < 3; n += 1) {
    const price = await call(client, 'shop_price', { name: 'tea', currency: null })
    expect(price.structuredContent).toEqual((await call(plain, 'shop_price', { name: 'tea' })).structuredContent)
    const order = await call(client, 'shop_order', { name: 'tea', count: null, dry_run: null })
    expect(order.structuredContent).toMatchObject({ errors: [{ pointer: '/count' }] })
    const refused = await call(plain, 'shop_order', { name: 'tea', count: 1, dry_run: null })
    expect(refused.structuredContent).toMatchObject({ errors: [{ pointer: '/dry_run' }] })
  }
  await Promise.all([client.close(), plain.close()])
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

test('a message that reaches a route says how the route counted it, and any other counts as the read of a document', async () => {
  const countedAs = async (method: string, params: object) => {
    const answer = await sendMessage(1, method, params)
    await answer.arrayBuffer()
    return /^"(\w+)";r=\d+/.exec(answer.headers.get('ratelimit') ?? '')?.[1]
  }
  expect(await countedAs('tools/call', { name: 'shop_price', arguments: { name: 'tea' } })).toBe('open_minute')
  expect(await countedAs('tools/call', { name: 'no_such_tool', arguments: {} })).toBe('documents')
  for (let n = 0; n < 3; n += 1) expect(await countedAs('tools/list', {})).toBe('documents')
  expect(await countedAs('nonsense', {})).toBe('documents')
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

test('a resource is read by its route, and refused as the route refuses', async () => {
  const client = await connected(MODES['2026-07-28'])
  expect((await client.listResources()).resources).toEqual([])
  expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
    { uriTemplate: 'svc://prices/{name}{?currency}', mimeType: 'application/json' },
  ])
  const uri = 'svc://prices/tea?currency=eur'
  const [content] = (await client.readResource({ uri })).contents
  expect(content).toMatchObject({ uri, mimeType: 'application/json' })
  const overHttp = await (await fetch(`${shop.url}/prices/tea?currency=eur`)).json()
  expect(JSON.parse((content as { text: string }).text)).toEqual(overHttp)
  await expect(client.readResource({ uri: `svc://prices/${'x'.repeat(21)}` })).rejects.toThrow('invalid_request')
  for (const other of [
    'svc://orders/tea',
    'svc://prices/a/b',
    'svc://prices/..',
    'svc://prices/%2e%2e',
    'svc://prices/.',
    'svc://prices/..%2forders',
    'file:///etc/passwd',
    'svc:/',
  ])
    await expect(client.readResource({ uri: other }), other).rejects.toThrow(/not found/i)
  shop.show(false)
  try {
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
  } finally {
    shop.show(true)
  }
  await client.close()
})

test('lists are printed once: each message gets them with its own id, and a switch shows at once', async () => {
  const ask = async (id: unknown, method = 'tools/list') => {
    const answer = await sendMessage(id, method)
    return (await answer.json()) as { id: unknown; result?: { tools?: unknown[] }; error?: unknown }
  }
  const first = await ask(1)
  expect(first.result?.tools).toHaveLength(7)
  for (const id of [2, 2, '"; drop', '"; drop', 'ü\u2028']) expect(await ask(id)).toEqual({ ...first, id })
  expect(await ask({ no: 'id' })).not.toHaveProperty('result')
  const [discovered, again] = [await ask(1, 'server/discover'), await ask(7, 'server/discover')]
  expect(again).toEqual({ ...discovered, id: 7 })
  shop.show(false)
  try {
    expect((await ask(3)).result?.tools).toEqual([])
  } finally {
    shop.show(true)
  }
  expect(await ask(4)).toEqual({ ...first, id: 4 })
})

test('the address chooses schemas of answers, tools by name, and tools that change nothing', async () => {
  const listed = async (query: string) => {
    const client = await connected(MODES['2026-07-28'], {}, query)
    const { tools } = await client.listTools()
    await client.close()
    return tools
  }
  expect((await listed('&schemas=output')).map(({ outputSchema }) => outputSchema?.type)).toEqual(
    Array.from({ length: 7 }, () => 'object'),
  )
  expect((await listed('&tools=shop_price,shop_bake')).map(({ name }) => name)).toEqual(['shop_bake', 'shop_price'])
  expect((await listed('&readonly=1')).map(({ name }) => name)).toEqual(['hub_me', 'shop_price', 'shop_rare'])
  const reader = await connected(MODES['2026-07-28'], keyed, '&readonly=1')
  await expect(call(reader, 'shop_order', { name: 'tea', count: 1 })).rejects.toThrow('no tool shop_order')
  await reader.close()
  const outputs = await connected(MODES['2026-07-28'], {}, '&schemas=output')
  const refused = await call(outputs, 'shop_order', { name: 'tea', count: 1 })
  expect(refused).not.toHaveProperty('structuredContent')
  expect(refused._meta).toMatchObject({ 'svc/problem': { code: 'unauthenticated' } })
  await outputs.close()
  const mine = await connected(MODES['2026-07-28'], keyed, '&schemas=output&tools=hub_me')
  const [me] = (await mine.listTools()).tools
  expect(Object.keys(me?.outputSchema?.['properties'] ?? {})).toEqual(
    Object.keys((await call(mine, 'hub_me', {})).structuredContent ?? {}),
  )
  await mine.close()
})

test.each([
  ['profile=nobodys', '/query/profile', 'core'],
  ['schemas=all', '/query/schemas', 'output'],
  ['readonly=true', '/query/readonly', '0'],
  ['profile=core&tools=shop_theft', '/query/tools', 'There is no tool shop_theft'],
  ['tools=', '/query/tools', '1'],
  ['read_only=1', '/query/read_only', 'not known'],
])('a wrong address is refused by the name of its member: %s', async (query, pointer, words) => {
  const answer = await fetch(`${shop.url}/mcp?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ errors: [{ pointer, detail: expect.stringContaining(words) }] })
})

test('lists differ by the kind of account that asks, and stay so when two kinds alternate', async () => {
  const names = async (headers: Record<string, string>) => {
    const answer = await fetch(`${shop.url}/mcp?profile=full`, {
      method: 'POST',
      headers: { ...LEGACY, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const { result } = (await lastMessageOf(answer)) as { result: { tools: { name: string }[] } }
    return result.tools.map(({ name }) => name)
  }
  for (let n = 0; n < 3; n += 1) {
    expect(await names(keyed)).toContain('shop_order')
    expect(await names({ authorization: 'Bearer a.b.c' })).toEqual(['shop_price'])
    expect(await names({})).toContain('shop_order')
  }
})

test('only a client that can listen is told that lists change', async () => {
  const capabilities = await Promise.all(
    Object.values(MODES).map(async (mode) => {
      const client = await connected(mode)
      const { tools } = client.getServerCapabilities() ?? {}
      await client.close()
      return tools
    }),
  )
  expect(capabilities).toEqual([{ listChanged: true }, {}])
})

test('a result says what is left of the allowance that counted it, on the first call and on those after', async () => {
  const client = await connected(MODES['2026-07-28'], { 'x-svc-user-key': poorKey })
  const left = []
  for (let n = 0; n < 3; n += 1) left.push((await call(client, 'shop_order', { name: 'tea', count: 1 }))._meta)
  expect(left.map((meta) => meta?.['remaining'])).toEqual([1, 0, 0])
  for (const meta of left) expect(Date.parse(String(meta?.['resets_at']))).toBeGreaterThan(0)
  await client.close()
})

const LEGACY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
/** Returns the last message of an answer, which the SDK sends as JSON or as an event. */
async function lastMessageOf(answer: Response): Promise<unknown> {
  const text = await answer.text()
  return JSON.parse(text.startsWith('{') || text.startsWith('[') ? text : text.slice(text.lastIndexOf('data: ') + 6))
}

test('hub_me lists the tools for which a scope or a tier is missing, with what opens each, on every call', async () => {
  const client = await connected(MODES['2026-07-28'], keyed)
  const locked = [
    { tool: 'shop_rare', needs: 'Tier 2', fix: expect.stringContaining('"tier": 2') },
    {
      tool: 'shop_trade',
      needs: 'scope tx',
      human_action: {
        who: 'owner',
        url: '/ui/agent',
        route: 'POST /hub/agents/{agent_id}/keys/{key_id}/scopes',
      },
    },
  ]
  for (let n = 0; n < 3; n += 1) {
    const { structuredContent, content } = await call(client, 'hub_me', {})
    expect(structuredContent).toEqual({ account_id: 7, locked })
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  }
  await client.close()
})

test('hub_me names no tool that the address leaves out', async () => {
  const url = new URL(`${shop.url}/mcp?profile=full&tools=hub_me,shop_trade`)
  const client = new Client({ name: 'a client', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: keyed } }))
  expect((await call(client, 'hub_me', {})).structuredContent).toMatchObject({ locked: [{ tool: 'shop_trade' }] })
  await client.close()
})

test('a client that connects with a wrong key gets a JSON-RPC error with the problem, beside 401', async () => {
  const answer = await fetch(`${shop.url}/mcp?profile=full`, {
    method: 'POST',
    headers: { ...LEGACY, 'x-svc-user-key': 'svc_nobodys' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params: {} }),
  })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({
    jsonrpc: '2.0',
    id: 'first',
    error: {
      code: -32_000,
      message: expect.stringMatching(/^unauthenticated: The API key in X-SVC-User-Key is unknown.* Fix: /),
      data: expect.objectContaining({ code: 'unauthenticated', status: 401, fix: expect.any(String) }),
    },
  })
})

test.each([['*/*'], ['text/*, application/*;q=0.5'], ['TEXT/EVENT-STREAM, APPLICATION/JSON'], [undefined]])(
  'Accept is matched by its grammar: %s',
  async (accept) => {
    const { accept: _default, ...plain } = LEGACY
    const answer = await fetch(`${shop.url}/mcp?profile=full`, {
      method: 'POST',
      headers: accept === undefined ? plain : { ...plain, accept },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(answer.status).toBe(200)
  },
)

test('a batch is answered where its revision has batches, and refused elsewhere', async () => {
  const batch = [1, 2].map((id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'shop_price', arguments: { name: 'tea' } },
  }))
  const send = (revision: string, body: unknown) =>
    fetch(`${shop.url}/mcp?profile=full`, {
      method: 'POST',
      headers: { ...LEGACY, 'mcp-protocol-version': revision },
      body: JSON.stringify(body),
    })
  const answered = await (await send('2025-03-26', batch)).text()
  for (const id of [1, 2]) expect(answered).toContain(`"id":${id}`)
  expect(answered).toContain('"cents":300')
  for (const [revision, body] of [
    ['2025-06-18', batch],
    ['2025-03-26', []],
    ['2025-03-26', [1]],
  ] as const) {
    const refused = await send(revision, body)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { code: -32_600 } })
  }
})
