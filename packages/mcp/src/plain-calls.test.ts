import { contracts } from '@svc/contracts/all'
import { routesOf } from '@svc/edge'
import { expect, test } from 'vitest'
import { plainCalls } from './plain-calls.ts'
import { toolsOf } from './tools.ts'

const tools = new Map(toolsOf(routesOf(contracts)).map((tool) => [tool.name, tool]))
const HEADERS = 'mcp-protocol-version: 2026-07-28\nmcp-method: tools/call\nmcp-name: prices\n'
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const ALL = {
  profile: 'full',
  outputs: false,
  strict: false,
  tools: null,
  readonly: false,
  caller: null,
  text: 'full',
} as const
const asked = { choice: ALL.text, headers: HEADERS, bytes: Buffer.alloc(0) }
const call = (more: object = {}, params: object = {}, name = 'prices') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: META, ...params },
  ...more,
})
const answered = (result: object, status = 200, type = 'application/json') => ({
  status,
  type,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, result }),
})
const COMPLETE = answered({ content: [], resultType: 'complete', _meta: { server: 'x' } })

const neverCalls = () => Promise.reject(new Error('no tool is called here'))

test('a call is plain once its envelope was answered with a result, whatever its id, arguments and progress token', () => {
  const plain = plainCalls(
    tools,
    () => true,
    () => null,
    neverCalls,
  )
  expect(plain.find(asked, ALL, call())).toBeNull()
  plain.learn(asked, call(), COMPLETE)
  for (const known of [
    call(),
    call({ id: 'other' }),
    call({}, { arguments: { any: [1] } }),
    call({}, { arguments: undefined }),
    call({}, { _meta: { ...META, progressToken: 4 } }),
  ])
    expect(plain.find(asked, ALL, known), JSON.stringify(known)).not.toBeNull()
})

test('a call that differs in anything else is left to the SDK', () => {
  const plain = plainCalls(
    tools,
    () => true,
    () => null,
    neverCalls,
  )
  plain.learn(asked, call(), COMPLETE)
  for (const other of [
    call({ id: 1.5 }),
    call({ id: null }),
    call({ id: undefined }),
    call({ jsonrpc: '1.0' }),
    call({ method: 'tools/list' }),
    call({ more: 1 }),
    call({ params: [] }),
    call({}, { arguments: [] }),
    call({}, { arguments: null }),
    call({}, { inputResponses: {} }),
    call({}, { name: 'mining_balance' }),
    call({}, { _meta: undefined }),
    call({}, { _meta: { ...META, progressToken: {} } }),
    call({}, { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } } }),
    call({}, { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }),
  ])
    expect(plain.find(asked, ALL, other), JSON.stringify(other)).toBeNull()
  const headers = HEADERS.replace('mcp-name: prices', 'mcp-name: mining_balance')
  expect(plain.find({ ...asked, headers }, ALL, call())).toBeNull()
})

test('nothing is learned from an error, a stream, an open result, a tool whose calls may go on, or a long envelope', () => {
  const plain = plainCalls(
    tools,
    () => true,
    () => null,
    neverCalls,
  )
  for (const answer of [
    { ...COMPLETE, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}' },
    answered({ content: [], resultType: 'task' }),
    answered({ content: [] }),
    { ...COMPLETE, status: 400 },
    { ...COMPLETE, type: 'text/event-stream' },
  ])
    plain.learn(asked, call(), answer)
  expect(plain.find(asked, ALL, call())).toBeNull()
  const goingOn = [...tools.values()].filter(({ route }) => Object.hasOwn(route.operation.success, '202'))
  expect(goingOn.map(({ name }) => name)).toContain('make_report')
  for (const { name } of goingOn) {
    plain.learn(asked, call({}, {}, name), COMPLETE)
    expect(plain.find(asked, ALL, call({}, {}, name)), name).toBeNull()
  }
  const long = { _meta: { ...META, 'example.com/more': 'x'.repeat(1_100) } }
  plain.learn(asked, call({}, long), COMPLETE)
  expect(plain.find(asked, ALL, call({}, long))).toBeNull()
})

test('a tool that its switches hide is left to the SDK', () => {
  let shown = true
  const plain = plainCalls(
    tools,
    () => shown,
    () => null,
    neverCalls,
  )
  plain.learn(asked, call(), COMPLETE)
  expect(plain.find(asked, ALL, call())).not.toBeNull()
  shown = false
  expect(plain.find(asked, ALL, call())).toBeNull()
})

test('a tool that the client did not choose is left to the SDK', () => {
  const plain = plainCalls(
    tools,
    () => true,
    () => null,
    neverCalls,
  )
  plain.learn(asked, call(), COMPLETE)
  expect(plain.find(asked, { ...ALL, tools: new Set(['prices']), readonly: true }, call())).not.toBeNull()
  expect(plain.find(asked, { ...ALL, tools: new Set(['board']) }, call())).toBeNull()
})
