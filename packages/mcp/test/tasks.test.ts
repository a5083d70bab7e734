import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createTaskSessionFromClient, type TaskState } from '@modelcontextprotocol/ext-tasks/client'
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { key, openShop } from './fixture.ts'

const shop = opened(async () => {
  const opening = await openShop()
  return { ...opening, stop: () => opening.close() }
})

const REVISION = '2026-07-28'
const clientInfo = { name: 'a client', version: '1' }
const clientCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const keyed = { 'x-svc-user-key': key }

/** Posts a message as it is. */
async function post(message: unknown) {
  const { method, params } = message as { method: string; params: { name?: string; taskId?: string } }
  const answer = await fetch(`${shop.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      'mcp-name': params.name ?? params.taskId ?? '',
      ...keyed,
    },
    body: JSON.stringify(message),
  })
  return (await answer.json()) as {
    result?: Record<string, JsonValue>
    error?: { code: number; message: string; data?: JsonValue }
  }
}

const ask = (method: string, params: object, capabilities: object = clientCapabilities) =>
  post({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      },
    },
  })
const bake = (cake_id: string) => ({ name: 'shop_bake', arguments: { cake_id } })

async function connected() {
  const client = new Client(clientInfo, {
    capabilities: clientCapabilities,
    versionNegotiation: { mode: { pin: REVISION } },
  })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${shop.url}/mcp`), { requestInit: { headers: keyed } }),
  )
  return client
}

test('a client of the tasks extension gets a task for work that outlives its call, and its result as the call answers', async () => {
  const client = await connected()
  expect(client.getServerCapabilities()?.extensions).toEqual(clientCapabilities.extensions)
  const session = createTaskSessionFromClient(client, {
    endpointId: 'shop',
    rawDispatch: async (request) => {
      const { result, error } = await post({ jsonrpc: '2.0', id: 1, ...(request as object) })
      if (error !== undefined) return { kind: 'error', error }
      return { kind: 'result', result: result as JsonValue }
    },
    v2RequestFraming: { protocolVersion: REVISION, clientInfo, clientCapabilities },
  })
  const execution = await session.callTool('shop_bake', { cake_id: 'cake_1' })
  expect([execution.kind, execution.handle?.taskId]).toEqual(['task', 'cake_1'])
  const states: TaskState[] = []
  const { outcome } = await execution.settle({
    onEvent: (event) => {
      if (event.type === 'task') states.push(event.task.status)
    },
  })
  expect(states).toContain('working')
  expect(outcome).toMatchObject({
    status: 'completed',
    result: { structuredContent: { cake_id: 'cake_1', state: 'ready' } },
  })
  const cold = await session.callTool('shop_bake', { cake_id: 'cake_cold' })
  expect(cold.kind).toBe('immediate')
  await session.close()
  await client.close()
})

test('a client that knows no tasks gets the answer of the route, and may not read a task', async () => {
  const called = await ask('tools/call', bake('cake_2'), {})
  expect(called.result).toMatchObject({ resultType: 'complete', structuredContent: { state: 'baking' } })
  expect((await ask('tasks/get', { taskId: 'cake_2' }, {})).error).toMatchObject({
    code: -32_021,
    data: { requiredCapabilities: clientCapabilities },
  })
})

test('a task says when it began and how long it is kept; work that is refused in the end is a result with the problem', async () => {
  const began = await ask('tools/call', bake('cake_stale'))
  expect(began.result).toMatchObject({
    resultType: 'task',
    taskId: 'cake_stale',
    status: 'working',
    createdAt: '2026-11-23T08:00:00.000Z',
    ttlMs: 60_000,
  })
  expect((await ask('tasks/get', { taskId: 'cake_stale' })).result).toMatchObject({
    status: 'completed',
    result: { isError: true, structuredContent: { code: 'stale', status: 409 } },
  })
})

test('cancelling acknowledges and stops nothing; a task of nobody, of others or of no kind is not known', async () => {
  expect((await ask('tasks/cancel', { taskId: 'cake_3' })).result).toMatchObject({ resultType: 'complete' })
  expect((await ask('tasks/get', { taskId: 'cake_3' })).result).toMatchObject({ status: 'completed' })
  for (const taskId of ['cake_of_others', 'nonsense', '../prices/tea', ''])
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect([taskId, (await ask(method, { taskId })).error?.code]).toEqual([taskId, -32_602])
})
