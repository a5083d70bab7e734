import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { openShop } from '../fixture.ts'
import { conformanceServer } from './server.ts'

const shop = opened(async () => {
  const opening = await openShop(1_000_000, { conformance: conformanceServer })
  return { ...opening, stop: () => opening.close() }
})

const REVISION = '2026-07-28'
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const envelope = (version: string) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
})
const message = (method: string, params: object = {}, version = REVISION) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...envelope(version) } })
const of = (method: string, more: object = {}) => ({
  ...HEADERS,
  'mcp-protocol-version': REVISION,
  'mcp-method': method,
  ...more,
})
const initialize = (protocolVersion: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  })

/** Messages that reach no tool, resource or prompt of one server alone. */
const ASKED: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['a list of tools', of('tools/list'), message('tools/list')],
  ['a list without headers of the protocol', HEADERS, message('tools/list')],
  ['a list of 2025-06-18', HEADERS, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
  ['server/discover', of('server/discover'), message('server/discover')],
  ['an initialization of 2025-06-18', HEADERS, initialize('2025-06-18')],
  ['an initialization of no revision', HEADERS, initialize('1999-01-01')],
  ['a notification', HEADERS, '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ['an unknown method', of('no/method'), message('no/method')],
  ['an unknown tool', of('tools/call', { 'mcp-name': 'none' }), message('tools/call', { name: 'none', arguments: {} })],
  ['an unknown resource', of('resources/read', { 'mcp-name': 'x:/y' }), message('resources/read', { uri: 'x:/y' })],
  [
    'a revision to come',
    of('tools/list', { 'mcp-protocol-version': '2031-01-01' }),
    message('tools/list', {}, '2031-01-01'),
  ],
  ['headers of another message', of('tools/call', { 'mcp-name': 'none' }), message('tools/list')],
  ['a call without its name in the headers', of('tools/call'), message('tools/call', { name: 'none', arguments: {} })],
  [
    'a message without its method in the headers',
    { ...HEADERS, 'mcp-protocol-version': REVISION },
    message('tools/list'),
  ],
  ['a client that takes no stream', { ...of('tools/list'), accept: 'application/json' }, message('tools/list')],
  ['a client that takes text', { ...of('tools/list'), accept: 'text/html' }, message('tools/list')],
  ['another media type', { ...of('tools/list'), 'content-type': 'text/plain' }, message('tools/list')],
  ['a batch', HEADERS, `[${message('tools/list')}]`],
  ['no JSON', HEADERS, '{'],
  ['nothing', HEADERS, ''],
  ['a page of another origin', of('tools/list', { origin: 'http://evil.example' }), message('tools/list')],
]

/** Members of a result that differ from server to server: what it offers, and its name. */
const OWN = new Set(['tools', 'capabilities', 'serverInfo', 'instructions', '_meta'])

interface Message {
  readonly id?: unknown
  readonly code?: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number }
}

/** Returns an answer without what a server has of its own: what it offers, its name, and its words about an error. */
async function answerOf(profile: string, headers: Readonly<Record<string, string>>, body: string) {
  const answer = await fetch(`${shop.url}/mcp?profile=${profile}`, { method: 'POST', headers, body })
  const text = (await answer.text()).replace(/^event: message\ndata: /, '').trim()
  const { id, code, result, error } = (text === '' ? {} : JSON.parse(text)) as Message
  const told = Object.fromEntries(
    ['content-type', 'cache-control', 'ratelimit-policy', 'vary', 'x-content-type-options', 'allow'].map((name) => [
      name,
      answer.headers.get(name),
    ]),
  )
  return {
    status: answer.status,
    told,
    id,
    code,
    error: error?.code,
    result: result && {
      ...Object.fromEntries(Object.entries(result).filter(([name]) => !OWN.has(name))),
      tools: Array.isArray(result['tools']),
      isNamed: result['_meta'] !== undefined,
    },
  }
}

test.each(ASKED)(
  'the server of the conformance suite and that of the product answer %s the same, but for what they offer',
  async (_what, headers, body) => {
    const product = await answerOf('full', headers, body)
    expect(await answerOf('conformance', headers, body)).toEqual(product)
    expect(product.status).toBeLessThan(500)
  },
)
