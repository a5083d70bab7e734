import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contract } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { start } from '@svc/gateway/main'
import { agentPlaces } from '@svc/mcp'
import type { RunningService } from '@svc/service'
import { eventually, opened, testStack } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

const OPEN_PER_MINUTE = 20

const switches = mkdtempSync(join(tmpdir(), 'svc-switches-'))
let running: RunningService
let url: string

const stack = opened(() => testStack([gateway] as unknown as Contract[]))
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  url = `http://127.0.0.1:${port}`
  running = await start(
    stack.environmentOf('gateway', {
      SVC_PORT: String(port),
      SVC_PUBLIC_URL: url,
      SVC_OPEN_LIMIT_MINUTE: String(OPEN_PER_MINUTE),
      SVC_SWITCHES_DIR: switches,
      HUB_PUBLIC_WEB_BASE: 'https://web.example',
      SVC_SECURITY_CONTACT: 'mailto:security@example.com, https://example.com/report',
    }),
  )
})
afterAll(async () => {
  await running.stop()
  rmSync(switches, { recursive: true })
})

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })

test('production settings serve nothing for development', async () => {
  for (const path of ['/dev/rpc', '/dev/agent/work', '/dev/story.json'])
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${url}${path}`, { method, redirect: 'manual' })).status).toBe(404)
})

describe('a document', () => {
  test.each([
    ['br', 'gzip, deflate, br', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip', 'br;q=0.5, gzip', 'gzip'],
    ['br', '*', 'br'],
  ])('is sent as %s, at least six times shorter, for Accept-Encoding: %s', async (_what, accepted, coding) => {
    const plain = await read('/openapi.json', { 'accept-encoding': 'identity' })
    const coded = await read('/openapi.json', { 'accept-encoding': accepted })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(coded.headers.get('content-encoding')).toBe(coding)
    for (const answer of [plain, coded]) expect(answer.headers.get('vary')).toBe('accept-encoding')
    const lengthOf = ({ headers }: Response) => Number(headers.get('content-length'))
    expect(lengthOf(coded)).toBeLessThan(lengthOf(plain) / 6)
    expect(await coded.text()).toBe(await plain.text())
  })

  test.each(['identity', 'br;q=0, gzip;q=0', 'br;q=0.1, identity'])(
    'is sent uncompressed for Accept-Encoding: %s',
    async (accepted) => {
      const answer = await read('/openapi.json', { 'accept-encoding': accepted })
      expect(answer.headers.get('content-encoding')).toBeNull()
      expect(Object.keys((await answer.json()) as object)).toContain('openapi')
    },
  )

  test('has an ETag for each coding, which gets 304 only with that coding', async () => {
    const tags = new Map<string, string>()
    for (const coding of ['identity', 'gzip', 'br']) {
      const answer = await read('/openapi.json', { 'accept-encoding': coding })
      await answer.arrayBuffer()
      tags.set(coding, answer.headers.get('etag') ?? '')
    }
    expect(new Set(tags.values()).size).toBe(3)
    const again = (coding: string, tag: string) =>
      read('/openapi.json', { 'accept-encoding': coding, 'if-none-match': tags.get(tag) ?? '' })
    expect((await again('br', 'br')).status).toBe(304)
    expect((await again('gzip', 'br')).status).toBe(200)
  })

  test('can be read without using the allowance of calls, and after the allowance is used up', async () => {
    for (let count = 0; count < OPEN_PER_MINUTE * 2; count += 1) {
      const answer = await read('/discovery')
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
    }
    expect((await read('/nothing')).status).toBe(404)
    let status = 404
    for (let count = 0; status === 404 && count < OPEN_PER_MINUTE * 2; count += 1)
      status = (await read('/nothing')).status
    expect(status).toBe(429)
    expect((await read('/llms.txt')).status).toBe(200)
  })
})

test('the exit page is served as the file in the repository, with its own policy as a header', async () => {
  const answer = await read('/ui/exit-kit')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/=]+'; .*; frame-ancestors 'none'$/,
  )
  expect(await answer.text()).toBe(readFileSync(new URL('../../../docs/exit-kit/index.html', import.meta.url), 'utf8'))
})

test('the front door of programs has the same bytes at both places and links only to what answers', async () => {
  const text = await (await read('/ui/llms.txt')).text()
  expect(text).toBe(await (await read('/llms.txt')).text())
  expect((await read('/ui/llms.txt')).headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const links = [...text.matchAll(/https?:\/\/[^\s)>"']+/g)].map(([link]) => link.replace(/[.,;]$/, ''))
  expect(links.length).toBeGreaterThan(3)
  expect(links.filter((link) => link.endsWith('/mcp/server-card'))).toHaveLength(1)
  for (const link of links) expect([200, 402], link).toContain((await fetch(link)).status)
})

const routesIn = async (path: string) => {
  const { paths } = (await (await read(path)).json()) as { paths: Record<string, Record<string, unknown>> }
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((one) => `${one.toUpperCase()} ${template}`),
  )
}

test('the front door of programs names exactly the routes of /openapi.json, with what a call costs', async () => {
  const text = await (await read('/llms.txt')).text()
  const named = [
    ...text.matchAll(
      /^- (GET|POST|PUT|PATCH|DELETE) (\/\S*): .+ \(\w+(?:, Tier \d)?, (?:per day|per minute|free|as its route)\)$/gm,
    ),
  ].map(([, method, path]) => `${method} ${path}`)
  expect(named.length).toBeGreaterThan(100)
  expect(named.toSorted()).toEqual((await routesIn('/openapi.json')).toSorted())
  expect(text).not.toContain('/admin')
})

test('/discovery lists exactly the routes of /openapi.json, and names the document of the staff', async () => {
  const { endpoints, links, instructions } = (await (await read('/discovery')).json()) as {
    endpoints: { method: string; path: string; limit: string | null }[]
    links: Record<string, string>
    instructions: string[]
  }
  const listed = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(listed.toSorted()).toEqual((await routesIn('/openapi.json')).toSorted())
  const limitOf = (named: string) => endpoints.find(({ path }) => path === named)?.limit
  expect(['/mcp', '/hub/door', '/board'].map(limitOf)).toEqual(['as its route', 'documents', 'daily_requests'])
  const staff = await routesIn(new URL(links['staff'] ?? '').pathname)
  expect(staff).toContain('GET /hub/builder-fee/admin/count')
  expect(staff.filter((route) => listed.includes(route))).toEqual([])
  // Messages are sent to the tools; a GET has no answer there.
  for (const link of Object.values(links).filter((one) => !one.includes('/mcp?'))) {
    const answer = await fetch(link)
    await answer.arrayBuffer()
    expect(answer.status, link).toBe(200)
  }
  expect(instructions.join(' ')).toContain('POST /hub/gas/drip')
})

test('the documents describe the places of agents as they answer', async () => {
  writeFileSync(join(switches, 'HUB_DOOR_ENABLED'), 'on')
  await eventually(async () => expect((await read('/hub/door')).status).toBe(402))
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (const place of agentPlaces) {
    const send = (query: string, body: unknown) =>
      place.method === 'GET'
        ? read(place.path + query)
        : fetch(`${url}${place.path}${query}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const answers = [await send('', message)]
    if (place.method === 'POST')
      answers.push(
        await send('?profile=none', message),
        await send('', {}),
        await send('', { jsonrpc: '2.0', method: 'notifications/initialized' }),
        await send('', [message, { ...message, id: 2 }]),
        await send('', { jsonrpc: '2.0', id: 3, result: {}, more: true }),
      )
    for (const sent of [message, [message], { jsonrpc: '2.0', id: 3, result: {}, more: true }])
      expect(place.body?.safeParse(sent).error, JSON.stringify(sent)).toBeUndefined()
    for (const answer of answers) {
      const text = await answer.text()
      const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
      const schema = place.answers[answer.status]?.content[type]
      const what = `${place.path} ${answer.status} ${type}: ${text.slice(0, 200)}`
      if (text === '') expect(place.answers[answer.status]?.content, what).toEqual({})
      else expect(schema?.safeParse(type.endsWith('json') ? JSON.parse(text) : text).error, what).toBeUndefined()
      expect(schema === undefined && text !== '', what).toBe(false)
    }
  }
  rmSync(join(switches, 'HUB_DOOR_ENABLED'))
  await eventually(async () => expect((await read('/hub/door')).status).toBe(404))
})

test('codes that refuse for one condition name each other', async () => {
  for (const [code, others] of [
    ['nothing_to_close', ['hub_leg_nothing_to_close']],
    ['hub_leg_nothing_to_close', ['nothing_to_close']],
    ['hub_leg_unknown_market', ['unknown_coin', 'unknown_market']],
    ['not_found', undefined],
  ] as const) {
    const problem = (await (await read(`/problems/${code}`)).json()) as { same_as?: string[] }
    expect(problem.same_as?.toSorted(), code).toEqual(others)
  }
})

test('the settings are served as the file of the repository, and as a page', async () => {
  const answer = await read('/docs/api/settings.md')
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await answer.text()).toBe(readFileSync(new URL('../../../docs/api/settings.md', import.meta.url), 'utf8'))
  expect(await (await read('/ui/docs/settings')).text()).toContain('<code>HUB_DOOR_ENABLED</code>')
})

test('pages count neither as calls nor as documents', async () => {
  const answer = await read('/ui/docs')
  expect(answer.headers.get('ratelimit-policy')).toBe('"pages";q=600;w=60')
  expect((await read('/discovery')).headers.get('ratelimit-policy')).toBe('"documents";q=600;w=60')
})

test('a page under another name of the host is found at the public address; documents and routes answer there too', async () => {
  const elsewhere = url.replace('127.0.0.1', 'localhost')
  const get = (path: string, init: RequestInit = {}) => fetch(`${elsewhere}${path}`, { redirect: 'manual', ...init })
  for (const path of ['/ui/docs', '/ui/docs/errors?from=mail', '/ui/config.json']) {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([307, `${url}${path}`])
  }
  expect((await get('/ui/docs', { method: 'HEAD' })).status).toBe(307)
  expect((await get('/discovery')).status).toBe(200)
  expect((await get('/uis')).headers.get('location')).toBeNull()
  expect((await get('//evil.example/ui')).headers.get('location')).toBeNull()
  const aside = await get('/ui/docs//evil.example')
  expect(new URL(aside.headers.get('location') ?? '').origin).toBe(url)
})

test('without a chain the configuration of the pages names none of its contracts, and it is read again each time', async () => {
  const answer = await read('/ui/config.json')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(await answer.json()).toEqual({
    web_base: url,
    chain: { id: 31_337, name: 'Local test chain', explorer: null, test: true },
    factory: null,
    factory_v2: null,
    usdc: null,
    leg_gateway: null,
    test_venues: [],
    demo_wallet: false,
    version: '0.1.0',
  })
  const again = await read('/ui/config.json', { 'if-none-match': answer.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test.each([
  ['/docs', '/ui/docs'],
  ['/docs/', '/ui/docs'],
  ['/ui/docs/', '/ui/docs'],
  ['/ui/docs/errors/', '/ui/docs/errors'],
])('%s redirects to %s', async (from, to) => {
  const answer = await read(from)
  expect(answer.status).toBe(308)
  expect(answer.headers.get('location')).toBe(to)
  expect((await read(to)).status).toBe(200)
})

describe('documents by which programs find the service', () => {
  /** Rules of `schema.json` (v1) of modelcontextprotocol/experimental-ext-server-card, for the members that the card has. */
  const cardSchema = z.strictObject({
    $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    version: z.string().max(255),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    websiteUrl: z.url(),
    remotes: z.array(
      z.strictObject({
        type: z.literal('streamable-http'),
        url: z.url(),
        headers: z.array(
          z.strictObject({
            name: z.string(),
            description: z.string(),
            isRequired: z.boolean(),
            isSecret: z.literal(true),
          }),
        ),
        supportedProtocolVersions: z.array(z.iso.date()).min(2),
      }),
    ),
  })

  test('the API catalogue is a link set of RFC 9727 whose links answer with the types that it states', async () => {
    const path = '/.well-known/api-catalog'
    const answer = await read(path)
    expect(answer.headers.get('content-type')).toBe(
      'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
    )
    const head = await fetch(`${url}${path}`, { method: 'HEAD' })
    expect(head.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"')
    const target = z.strictObject({ href: z.url(), type: z.string() })
    const relations = ['service-desc', 'service-doc', 'service-meta', 'status']
    const { linkset } = z
      .strictObject({
        linkset: z.array(z.object({ anchor: z.url() }).catchall(z.array(target).min(1))).min(2),
      })
      .parse(await answer.json())
    for (const { anchor, ...links } of linkset) {
      expect(anchor.startsWith(url)).toBe(true)
      for (const [relation, targets] of Object.entries(links)) {
        expect(relations).toContain(relation)
        for (const { href, type } of targets as z.output<typeof target>[]) {
          const linked = await fetch(href)
          expect([href, linked.status]).toEqual([href, 200])
          expect(linked.headers.get('content-type')?.split(';')[0]).toBe(type.split(';')[0])
          await linked.arrayBuffer()
        }
      }
    }
  })

  test('the AI catalogue and the MCP catalogue name the server card, which states the endpoints and the revisions that they serve', async () => {
    const catalog = await read('/.well-known/mcp/catalog.json')
    expect(catalog.headers.get('access-control-allow-origin')).toBe('*')
    expect(catalog.headers.get('cache-control')).toBe('public, max-age=3600')
    const preflight = await fetch(catalog.url, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Content-Type')
    const { entries } = z
      .strictObject({
        specVersion: z.literal('draft'),
        entries: z
          .array(
            z.strictObject({
              identifier: z.string().regex(/^urn:air:[\w.-]+(:[\w.-]+)+$/),
              displayName: z.string(),
              type: z.literal('application/mcp-server-card+json'),
              url: z.url(),
            }),
          )
          .min(1),
      })
      .parse(await catalog.json())
    const aiCatalog = await read('/.well-known/ai-catalog.json')
    expect(aiCatalog.headers.get('content-type')).toBe('application/ai-catalog+json')
    // The card states the name: the AI Catalog leaves it out, so that the two cannot differ.
    const { displayName: _name, ...entry } = entries[0] ?? {}
    expect(await aiCatalog.json()).toEqual({ specVersion: '1.0', entries: [entry] })
    const answer = await fetch(entries[0]?.url ?? '', { headers: { accept: 'application/mcp-server-card+json' } })
    expect(answer.headers.get('content-type')).toBe('application/mcp-server-card+json')
    const card = cardSchema.parse(await answer.json())
    expect(entries[0]?.identifier).toBe(`urn:air:${new URL(url).hostname}:${card.name.split('/')[1]}`)
    expect(card.remotes.map((remote) => new URL(remote.url).search)).toEqual(
      ['core', 'hub', 'full'].map((one) => `?profile=${one}`),
    )
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const discovered = await fetch(card.remotes[0]?.url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'server/discover',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } }),
    })
    const { result } = (await discovered.json()) as { result: { supportedVersions: string[] } }
    for (const { supportedProtocolVersions } of card.remotes)
      expect(supportedProtocolVersions.filter((one) => one >= '2026')).toEqual(
        result.supportedVersions.filter((one) => one >= '2026'),
      )
    for (const { url: endpoint, supportedProtocolVersions } of card.remotes)
      for (const protocolVersion of supportedProtocolVersions.filter((one) => one < '2026')) {
        const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
        const initialized = await fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
        })
        const text = await initialized.text()
        expect(text).toContain(`"protocolVersion":"${protocolVersion}"`)
        expect(text).toContain(`"version":"${card.version}"`)
      }
  })

  test('discovery names the tools that are switched on, and no others', async () => {
    const toolsOf = async () =>
      ((await (await read('/discovery')).json()) as { tools: { name: string }[] }).tools.map(({ name }) => name)
    expect(await toolsOf()).toContain('board')
    expect((await toolsOf()).filter((name) => /^mandate_|^hub_gas_drip$/.test(name))).toEqual([])
    writeFileSync(join(switches, 'HUB_DOOR_ENABLED'), '1')
    await eventually(async () => expect(await toolsOf()).toContain('mandate_read'))
    expect(await toolsOf()).not.toContain('hub_gas_drip')

    const index = z
      .strictObject({
        // A name that the specification gives to this form; nothing is published under it.
        $schema: z.literal('https://schemas.agentskills.io/discovery/0.2.0/schema.json'),
        skills: z
          .array(
            z.strictObject({
              name: z
                .string()
                .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
                .max(64),
              type: z.literal('skill-md'),
              description: z.string().min(1).max(1024),
              url: z.url(),
              digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
            }),
          )
          .length(1),
      })
      .parse(await (await read('/.well-known/agent-skills/index.json')).json())
    const [skill] = index.skills
    const text = await (await fetch(skill?.url ?? '')).text()
    expect(skill?.digest).toBe(`sha256:${hash('sha256', text)}`)
    rmSync(join(switches, 'HUB_DOOR_ENABLED'))
    await eventually(async () => expect(await toolsOf()).not.toContain('mandate_read'))
    expect((await read('/.well-known/agent-skills/index.json')).status).toBe(404)
  })

  test('the door, the skill and the list of tools are not found while the switch is off, and follow it at once', async () => {
    const statuses = () =>
      Promise.all(
        ['/hub/door', '/hub/skill.md', '/hub/mcp-tools'].map(async (path) => {
          const answer = await read(path)
          await answer.arrayBuffer()
          return answer.status
        }),
      )
    expect(await statuses()).toEqual([404, 404, 404])
    writeFileSync(join(switches, 'HUB_DOOR_ENABLED'), 'on')
    await eventually(async () => expect(await statuses()).toEqual([402, 200, 200]))
    const door = await read('/hub/door')
    expect([door.headers.get('x-hub-door'), door.headers.get('cache-control')]).toEqual(['mandate', 'no-store'])
    const body = (await door.json()) as Record<string, unknown>
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['schema', 'steps', 'refusals', 'rate_limits', 'client_config', 'docs']),
    )
    expect(body['docs']).toEqual({
      openapi: `${url}/openapi.json`,
      skill: `${url}/hub/skill.md`,
      tools: `${url}/hub/mcp-tools`,
      guides: `${url}/ui/docs`,
      llms: 'https://web.example/ui/llms.txt',
    })
    const { items } = z
      .object({
        items: z
          .array(
            z.strictObject({
              name: z.string(),
              title: z.string(),
              description: z.string(),
              profile: z.enum(['core', 'hub', 'full']),
              hints: z.looseObject({ readOnlyHint: z.boolean(), destructiveHint: z.boolean() }),
              scope: z.string().nullable(),
              money_moving: z.boolean(),
              may_lose: z.string().nullable(),
              approval: z.literal('owner').nullable(),
              input_schema: z.looseObject({ type: z.literal('object') }),
            }),
          )
          .min(20),
      })
      .parse(await (await read('/hub/mcp-tools')).json())
    for (const { name, money_moving, may_lose } of items) if (money_moving) expect(may_lose, name).not.toBeNull()
    expect(items.some(({ money_moving }) => money_moving)).toBe(true)
    rmSync(join(switches, 'HUB_DOOR_ENABLED'))
    await eventually(async () => expect(await statuses()).toEqual([404, 404, 404]))
  })

  test('a deployment has no tools of the conformance suite', async () => {
    const answer = await fetch(`${url}/mcp?profile=conformance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ pointer: '/query/profile' }] }])
  })

  test('security.txt has the fields of RFC 9116 and no time in the past; sessions are no OAuth, and nothing says so', async () => {
    const answer = await read('/.well-known/security.txt')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const fields = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/s))
    const valuesOf = (name: string) => fields.filter(([one]) => one === name).map(([, value]) => value)
    expect(valuesOf('Contact')).toEqual(['mailto:security@example.com', 'https://example.com/report'])
    expect(valuesOf('Canonical')).toEqual([`${url}/.well-known/security.txt`])
    const [expires = '', ...others] = valuesOf('Expires')
    expect(others).toEqual([])
    const days = (Date.parse(expires) - Date.now()) / 86_400_000
    expect(days > 1 && days < 365, expires).toBe(true)
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server', 'agent-card.json'])
      expect((await read(`/.well-known/${name}`)).ok, name).toBe(false)
  })
})

test('without a contact there is no security.txt', () => {
  const settings = gateway.settings.securityContacts
  expect([settings.default, settings.schema.safeParse('nobody').success]).toEqual([null, false])
})
