import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@svc/servers'
import { keys } from './hop/keys.ts'
import { get, startLoadGenerator, type LoadGenerator } from './load.ts'
import { startProcess } from './processes.ts'
import { residentMb } from './process-usage.ts'
import { percent, times, type Benchmark, type Figure } from './result.ts'
import { addPlayers, startServices } from './stage.ts'
import { measure } from './variant.ts'

const REVISION = '2026-07-28'
const PROFILE = '/mcp?profile=full'
const CLIENTS = { core: 166, hub: 167, full: 167 } as const
/** Messages count as documents of their address, of which it has some hundreds a minute. */
const ADDRESSES = 2_048
const MEASURED = [
  { tool: 'mining_balance', path: '/agent/mining/balance', given: {} },
  { tool: 'mandate_list', path: '/hub/mandates', given: {} },
  { tool: 'prices', path: '/prices', given: {} },
] as const

const headersOf = (method: string, name?: string) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': REVISION,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})

function messageOf(method: string, params: object = {}): string {
  const meta = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } })
}

/** Returns a message as the load generator sends it. */
function post(
  port: number,
  method: string,
  params: object,
  { name, key, from = 0 }: { name?: string; key?: string; from?: number },
): string {
  const body = messageOf(method, params)
  const headers = {
    host: `127.0.0.1:${port}`,
    'x-forwarded-for': `10.0.${from >> 8}.${from & 255}`,
    ...headersOf(method, name),
    ...(key === undefined ? {} : { 'x-svc-user-key': key }),
  }
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
    ([one, value]) => `${one}: ${value}`,
  )
  return `POST ${PROFILE} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Calls of tools against their routes, the list of tools against the same bytes, and clients that listen. */
export const doors: Benchmark = async ({ short, dataDir, shared, note }) => {
  const stage = await shared()
  await addPlayers(stage)
  const names = ['gateway', 'identity', 'mining', 'subscriptions', 'mandates']
  const port = await freePort()
  await using services = await startServices(stage, {
    names,
    settings: {
      HUB_DOOR_ENABLED: '1',
      SVC_TRUSTED_PROXIES: '127.0.0.1',
      SVC_PUBLIC_URL: `http://127.0.0.1:${port}`,
      SVC_HUB_READ_LIMIT_MINUTE: '100000000',
      SVC_OPEN_LIMIT_MINUTE: '100000000',
      SVC_OPEN_LIMIT_DAY: '100000000',
      SVC_DAILY_LIMIT_TIER2: '100000000',
    },
    port,
  })
  await using generator = await startLoadGenerator()
  const figures: Figure[] = []
  for (const one of MEASURED) {
    note(`doors: ${one.tool} and its route in turn`)
    figures.push(await callAgainstRoute(one, services, generator, short))
  }
  note('doors: tools/list and the same bytes from bare Fastify in turn')
  figures.push(await listAgainstBytes(services, generator, { file: join(dataDir, 'list.json'), short }))
  note('doors: clients that listen')
  figures.push(await listening(services))
  return { figures }
}

interface Services {
  readonly port: number
  readonly pids: readonly number[]
}

async function callAgainstRoute(
  { tool, path, given }: (typeof MEASURED)[number],
  { port, pids }: Services,
  generator: LoadGenerator,
  short: boolean,
): Promise<Figure> {
  const load = (requests: readonly string[]) => ({ port, requests, connections: 16, durationMs: short ? 2_000 : 3_000 })
  const called = Array.from({ length: ADDRESSES }, (_, from) => {
    const key = keys[from % keys.length] ?? ''
    return post(port, 'tools/call', { name: tool, arguments: given }, { name: tool, key, from })
  })
  const measured = await measure(
    generator,
    [
      { name: 'tool', pids, load: load(called) },
      { name: 'route', pids, load: load(keys.map((key) => get(path, key))) },
    ],
    short ? 3 : 5,
  )
  const cpu = (name: string) => measured.get(name)?.cpu ?? NaN
  const ratio = cpu('tool') / cpu('route')
  return {
    what: `The tool \`${tool}\`, CPU of a call against \`GET ${path}\``,
    goal: '≤ 1.5 ×',
    measured: `${times(ratio)} (${cpu('tool').toFixed(0)} µs; route ${cpu('route').toFixed(0)} µs)`,
    met: ratio <= 1.5,
    holdsBack: 'A server of the SDK for each message, and a second request within the process.',
  }
}

async function listAgainstBytes(
  { port, pids }: Services,
  generator: LoadGenerator,
  { file, short }: { readonly file: string; readonly short: boolean },
): Promise<Figure> {
  const answer = await fetch(`http://127.0.0.1:${port}${PROFILE}`, {
    method: 'POST',
    headers: headersOf('tools/list'),
    body: messageOf('tools/list'),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  writeFileSync(file, bytes)
  const floorPort = await freePort()
  await using floor = await startProcess('floors/fastify-bytes.mjs', {
    BENCH_PORT: String(floorPort),
    BENCH_PATH: '/list',
    BENCH_FILE: file,
    BENCH_ETAG: '',
  })
  const load = (to: number, ...requests: readonly string[]) => ({
    port: to,
    requests,
    connections: 16,
    durationMs: short ? 2_000 : 3_000,
  })
  const measured = await measure(
    generator,
    [
      {
        name: 'list',
        pids,
        load: load(port, ...Array.from({ length: ADDRESSES }, (_, from) => post(port, 'tools/list', {}, { from }))),
      },
      { name: 'floor', pids: [floor.pid], load: load(floorPort, 'GET /list HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n') },
    ],
    short ? 3 : 5,
  )
  const rate = (name: string) => measured.get(name)?.perSecond ?? NaN
  const cpu = (name: string) => `${(measured.get(name)?.cpu ?? NaN).toFixed(0)} µs`
  const share = rate('list') / rate('floor')
  return {
    what: `\`tools/list\` of profile full from the cache, requests per second against the same ${bytes.length.toLocaleString('en')} bytes from bare Fastify`,
    goal: '≥ 60 %',
    measured: `${percent(share)} (${rate('list').toFixed(0)} a second, ${cpu('list')} of CPU; floor ${rate('floor').toFixed(0)}, ${cpu('floor')})`,
    met: share >= 0.6,
    holdsBack: 'Allowance of the address, reading the message, and joining its id with the kept result.',
  }
}

/** Connects clients that listen for changes of the list; returns the memory that each keeps in the gateway. */
async function listening({ port, pids: [gateway = 0] }: Services): Promise<Figure> {
  const before = residentMb([gateway])
  const open = async (profile: string) => {
    const method = 'subscriptions/listen'
    const sent = httpRequest({
      port,
      path: `/mcp?profile=${profile}`,
      method: 'POST',
      agent: false,
      headers: headersOf(method),
    })
    sent.end(messageOf(method, { notifications: { toolsListChanged: true } }))
    const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
    await once(answer, 'data')
    return { sent, status: answer.statusCode }
  }
  const clients = []
  for (const [profile, count] of Object.entries(CLIENTS))
    for (let at = 0; at < count; at += 1) clients.push(await open(profile))
  const connected = clients.filter(({ status }) => status === 200).length
  const grown = residentMb([gateway]) - before
  for (const { sent } of clients) sent.destroy()
  return {
    what: 'Clients that listen for changes of the tools, at once: memory that each takes in the gateway',
    goal: '500 clients',
    measured: `${connected} clients, ${((grown * 1_000) / connected).toFixed(0)} KB each (${grown.toFixed(1)} MB together)`,
    met: connected === 500,
    holdsBack: 'A stream and a server of the SDK for each; 200 of a profile at most.',
  }
}
