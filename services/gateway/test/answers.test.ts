import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { contract, ok, type Contract } from '@svc/contract'
import { formatApiKey } from '@svc/contracts/api-key'
import { gateway } from '@svc/contracts/gateway'
import { identity } from '@svc/contracts/identity'
import { subscriptions } from '@svc/contracts/subscriptions'
import { startService, type AnyHandler, type RunningService } from '@svc/service'
import { eventually, inherited, opened, testStack } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { resolveCredentials, noteActivity } = identity.operations
const { resolveTiers } = subscriptions.operations
const neighbours = {
  identity: contract('identity', { title: 'I', postgres: false, operations: { resolveCredentials, noteActivity } }),
  subscriptions: contract('subscriptions', { title: 'S', postgres: false, operations: { resolveTiers } }),
}
const OPEN_PER_MINUTE = 20
const key = formatApiKey(new Uint8Array(32).fill(1))
const unknownKey = formatApiKey(new Uint8Array(32).fill(2))
const known = {
  account_id: 7,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read', 'write'],
  key_id: 'key_1',
  session_id: null,
  expires_at: null,
}

let services: RunningService[]
let child: ChildProcess
let url: string
let internal: string
let knownHash = ''
let frozen = Promise.resolve()
const lines: Record<string, unknown>[] = []

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const stack = opened(() => testStack([neighbours.identity, neighbours.subscriptions, gateway] as unknown as Contract[]))
beforeAll(async () => {
  const handlers: Record<string, AnyHandler> = {
    resolveCredentials: (async ({ credentials }: { credentials: { hash: string }[] }) => {
      await frozen
      return ok(200, { callers: credentials.map(({ hash }) => (hash === knownHash ? known : null)) })
    }) as AnyHandler,
    noteActivity: (async () => ok(200, { noted: 0 })) as AnyHandler,
  }
  const tiers = (async ({ account_ids }: { account_ids: number[] }) =>
    ok(200, { items: account_ids.map((account_id) => ({ account_id, tier: 0, ends_at: null })) })) as AnyHandler
  services = [
    await startService(neighbours.identity, [], stack.environmentOf('identity'), () => ({ handlers })),
    await startService(neighbours.subscriptions, [], stack.environmentOf('subscriptions'), () => ({
      handlers: { resolveTiers: tiers },
    })),
  ]
  knownHash = createHash('sha256').update(key).digest('hex')
  const [port, internalPort] = [await freePort(), await freePort()]
  url = `http://127.0.0.1:${port}`
  internal = `http://127.0.0.1:${internalPort}`
  const main = fileURLToPath(import.meta.resolve('@svc/gateway/main'))
  child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...inherited(),
      ...stack.environmentOf('gateway', {
        SVC_LOG_LEVEL: 'info',
        SVC_PORT: String(port),
        SVC_INTERNAL_PORT: String(internalPort),
        SVC_OPEN_LIMIT_MINUTE: String(OPEN_PER_MINUTE),
        // The requests of the last test are answered within it on a busy machine too.
        SVC_STOP_DELAY_MS: '5000',
      }),
    },
  })
  if (child.stdout !== null)
    createInterface(child.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>
      if (entry['msg'] === 'answered') lines.push(entry)
    })
  await Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('it ended')))])
})
afterAll(async () => {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  await Promise.all(services.map((service) => service.stop()))
})

/** Returns how many answers with these labels the histogram has counted. */
async function counted(labels: Record<string, string | number>): Promise<number> {
  const text = await (await fetch(`${internal}/metrics`)).text()
  const row = text
    .split('\n')
    .find(
      (line) =>
        line.startsWith('hub_http_request_duration_seconds_count{') &&
        Object.entries(labels).every(([name, value]) => line.includes(`${name}="${value}"`)),
    )
  return row === undefined ? 0 : Number(row.slice(row.lastIndexOf(' ')))
}

const raw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (piece) => (answer += piece.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

const json = { 'content-type': 'application/json' }
const cases: readonly [string, string, string, RequestInit, object][] = [
  ['a document', '/discovery', '/discovery', {}, { status: 200, caller: 'open', code: null }],
  ['no credential', '/subscriptions/status', '/subscriptions/status', {}, { status: 401, code: 'unauthenticated' }],
  [
    'an unknown key',
    '/subscriptions/status',
    '/subscriptions/status',
    { headers: { 'x-svc-user-key': unknownKey } },
    { status: 401, code: 'unauthenticated', caller: 'unverified' },
  ],
  [
    'an agent on a route for reviewers',
    '/admin/mining/queue?limit=9',
    '/admin/mining/queue',
    { headers: { 'x-svc-user-key': key } },
    { status: 403, code: 'forbidden', caller: 'agent' },
  ],
  ['an unknown path', '/secret-of-mine?token=secret-of-mine', 'unmatched', {}, { status: 404, code: 'not_found' }],
  [
    'a method that a path does not support',
    '/auth/wallet/nonce?token=secret-of-mine',
    '/auth/wallet/nonce',
    { method: 'DELETE' },
    { status: 405, code: 'method_not_allowed' },
  ],
  [
    'a body too large',
    '/auth/wallet/nonce',
    '/auth/wallet/nonce',
    { method: 'POST', headers: json, body: ' '.repeat(70_000) },
    { status: 413, code: 'body_too_large' },
  ],
  [
    'a body of another type',
    '/auth/wallet/nonce',
    '/auth/wallet/nonce',
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'secret-of-mine' },
    { status: 415, code: 'unsupported_media_type' },
  ],
]

const lineOf = (requestId: string) => eventually(() => lines.find((line) => line['request_id'] === requestId) ?? false)

test.each(cases)('the answer to %s is counted and logged once', async (_what, path, route, init, expected) => {
  const requestId = `r${cases.findIndex((one) => one[1] === path && one[3] === init)}`
  const method = init.method ?? 'GET'
  const labels = { route, method, status: Reflect.get(expected, 'status') as number }
  const before = await counted(labels)
  const answer = await fetch(`${url}${path}`, {
    ...init,
    headers: { 'accept-encoding': 'identity', ...init.headers, 'x-request-id': requestId },
  })
  const body = await answer.text()
  expect(answer.headers.get('x-request-id')).toBe(requestId)
  expect(answer.status).toBe(labels.status)
  expect(await counted(labels)).toBe(before + 1)
  const line = await lineOf(requestId)
  expect(line).toMatchObject({ method, route, ...expected, bytes: Buffer.byteLength(body) })
  expect(JSON.stringify(line)).not.toContain('secret-of-mine')
  expect(lines.filter((one) => one['request_id'] === requestId)).toHaveLength(1)
})

test.each([
  ['an unreadable request', 'GARBAGE\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(50_000)}\r\n\r\n`, 431],
  ['a path that cannot be decoded', 'GET /%ff%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
])('the answer to %s is counted and logged once', async (_what, text, status) => {
  const labels = { route: 'unreadable', status }
  const before = await counted(labels)
  const already = lines.filter((line) => line['route'] === 'unreadable').length
  expect(await raw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(await counted(labels)).toBe(before + 1)
  await eventually(() => lines.filter((line) => line['route'] === 'unreadable').length === already + 1)
})

test('an answer beyond the allowance is counted and logged once', async () => {
  const statuses: number[] = []
  while (statuses.at(-1) !== 429 && statuses.length <= OPEN_PER_MINUTE * 2) {
    const answer = await fetch(`${url}/nothing`, { headers: { 'x-request-id': `open-${statuses.length}` } })
    await answer.text()
    statuses.push(answer.status)
  }
  expect(await counted({ route: 'unmatched', method: 'GET', status: 429 })).toBe(1)
  expect(await lineOf(`open-${statuses.length - 1}`)).toMatchObject({ status: 429, code: 'rate_limited' })
})

test('while identity is frozen, the 503s are counted with their duration, and the gateway reports not ready', async () => {
  const ready = async () => (await fetch(`${internal}/readyz`)).status
  expect(await ready()).toBe(200)
  const { promise, resolve: thaw } = Promise.withResolvers<void>()
  frozen = promise
  await eventually(async () => (await ready()) === 503)
  const headers = { 'x-svc-user-key': key, 'x-request-id': 'frozen-1' }
  const answer = await fetch(`${url}/subscriptions/status`, { headers })
  await answer.text()
  expect(answer.status).toBe(503)
  expect(await counted({ route: '/subscriptions/status', method: 'GET', status: 503 })).toBe(1)
  const line = await lineOf('frozen-1')
  expect(line).toMatchObject({ status: 503, code: 'temporarily_unavailable', caller: 'unverified' })
  expect(Reflect.get(Object(line), 'duration_ms')).toBeGreaterThan(1_000)
  thaw()
  await eventually(async () => (await ready()) === 200)
})

test('a gateway that is told to stop answers while load balancers notice, asks clients to leave, and ends with 0', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<[status: number | undefined, connection: string | undefined]>((resolve, reject) => {
      const request = get(`${url}/health`, { agent }, (response) => {
        response.resume().once('end', () => resolve([response.statusCode, response.headers.connection]))
      })
      request.once('error', reject)
    })
  expect(await ask()).toEqual([200, 'keep-alive'])
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await eventually(async () => expect((await fetch(`${internal}/readyz`)).status).toBe(503))
  for (let n = 0; n < 5; n += 1) expect(await ask()).toEqual([200, 'close'])
  expect(await exit).toEqual([0, null])
  agent.destroy()
})
