import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@svc/servers'
import { encode } from 'gpt-tokenizer'
import { NO_LIMITS } from '@svc/tools/dev/no-limits.ts'
import { keys } from './hop/keys.ts'
import { get, startLoadGenerator, type LoadGenerator } from './load.ts'
import { startProcess } from './processes.ts'
import { memoryOf } from './process-memory.ts'
import { cpuSeconds } from './process-usage.ts'
import { percent, times, type Benchmark, type Figure } from './result.ts'
import { addPlayers, startServices } from './stage.ts'
import { measure, type Measured } from './variant.ts'

const REVISION = '2026-07-28'
const PROFILE = '/mcp?profile=full'
/** Fewer than may still join the others while their connections end. */
const FIRST_CLIENTS = 30
const SETTLE_MS = 5_000
const IDLE_MS = 10_000
const NOTHING: Measured = { cpu: NaN, perSecond: NaN, p50: NaN }
const CLIENTS = { core: 166, hub: 167, full: 167 } as const
/** A list counts as a document of its address, of which it has some hundreds a minute. */
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

interface From {
  readonly name?: string
  readonly key?: string
  /** Address of the client. */
  readonly from?: number
  readonly to?: string
}

/** Returns a message as the load generator sends it. */
function post(port: number, method: string, params: object, { name, key, from, to = PROFILE }: From): string {
  const body = messageOf(method, params)
  const headers = {
    host: `127.0.0.1:${port}`,
    ...(from === undefined ? {} : { 'x-forwarded-for': `10.0.${from >> 8}.${from & 255}` }),
    ...headersOf(method, name),
    ...(key === undefined ? {} : { 'x-svc-user-key': key }),
  }
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
    ([one, value]) => `${one}: ${value}`,
  )
  return `POST ${to} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Calls of tools against their routes, the list of tools against the same bytes, and clients that listen. */
export const doors: Benchmark = async ({ short, dataDir, shared, note }) => {
  const stage = await shared()
  await addPlayers(stage)
  // Prices name what gallery sells: without it each read would wait for its time limit.
  const names = ['gateway', 'identity', 'mining', 'subscriptions', 'mandates', 'gallery']
  const port = await freePort()
  await using services = await startServices(stage, {
    names,
    settings: {
      HUB_DOOR_ENABLED: '1',
      SVC_TRUSTED_PROXIES: '127.0.0.1',
      SVC_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ...NO_LIMITS,
    },
    port,
  })
  await using generator = await startLoadGenerator()
  const figures: Figure[] = []
  note('doors: the platform without a call')
  const idle = await idleShare(services.pids)
  for (const one of MEASURED) {
    note(`doors: ${one.tool} and its route in turn`)
    figures.push(await callAgainstRoute(one, { ...services, idle }, generator, short))
  }
  note('doors: tools/list and the same bytes from bare Fastify in turn')
  figures.push(await listAgainstBytes({ ...services, idle }, generator, { file: join(dataDir, 'list.json'), short }))
  note('doors: the weight of the lists of tools')
  figures.push(...(await weights(services)))
  note('doors: clients that listen')
  figures.push(await listening(services))
  return { figures }
}

interface Services {
  readonly port: number
  readonly pids: readonly number[]
}

/** Services, and the CPU seconds that they use in a second without a call. */
interface IdleServices extends Services {
  readonly idle: number
}

async function idleShare(pids: readonly number[]): Promise<number> {
  await delay(SETTLE_MS)
  const from = performance.now()
  const before = cpuSeconds(pids)
  await delay(IDLE_MS)
  return (cpuSeconds(pids) - before) / ((performance.now() - from) / 1_000)
}

/** Returns the microseconds of CPU that a request costs, without those that the services use anyway. */
const costOf = ({ cpu, perSecond }: Measured, idle: number): number => cpu - (idle / perSecond) * 1e6

async function callAgainstRoute(
  { tool, path, given }: (typeof MEASURED)[number],
  { port, pids, idle }: IdleServices,
  generator: LoadGenerator,
  short: boolean,
): Promise<Figure> {
  const load = (requests: readonly string[]) => ({ port, requests, connections: 16, durationMs: short ? 2_000 : 3_000 })
  const called = keys.map((key) => post(port, 'tools/call', { name: tool, arguments: given }, { name: tool, key }))
  const measured = await measure(
    generator,
    [
      { name: 'tool', pids, load: load(called) },
      { name: 'route', pids, load: load(keys.map((key) => get(path, key))) },
    ],
    short ? 3 : 5,
  )
  const cpu = (name: string) => costOf(measured.get(name) ?? NOTHING, idle)
  const ratio = cpu('tool') / cpu('route')
  return {
    what: `The tool \`${tool}\`, CPU of a call against \`GET ${path}\``,
    goal: '≤ 1.3 ×',
    measured: `${times(ratio)} (${cpu('tool').toFixed(0)} µs; route ${cpu('route').toFixed(0)} µs)`,
    met: ratio <= 1.3,
    holdsBack: 'A second request within the process, and its headers.',
  }
}

async function listAgainstBytes(
  { port, pids, idle }: IdleServices,
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
  const messages = (to: number, path: string) =>
    Array.from({ length: ADDRESSES }, (_, from) => post(to, 'tools/list', {}, { from, to: path }))
  const measured = await measure(
    generator,
    [
      { name: 'list', pids, load: load(port, ...messages(port, PROFILE)) },
      { name: 'floor', pids: [floor.pid], load: load(floorPort, ...messages(floorPort, '/list')) },
      { name: 'read', pids: [floor.pid], load: load(floorPort, 'GET /list HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n') },
    ],
    short ? 3 : 5,
  )
  const of = (name: string) => measured.get(name) ?? NOTHING
  const own = costOf(of('list'), idle)
  const share = of('floor').cpu / own
  const micros = (value: number) => `${value.toFixed(0)} µs`
  const rate = (name: string) => of(name).perSecond.toFixed(0)
  return {
    what: `\`tools/list\` of profile full from the cache, CPU of a message against bare Fastify that answers the same messages with the same ${bytes.length.toLocaleString('en')} bytes`,
    goal: '≥ 60 %',
    measured: `${percent(share)} (${micros(own)}; floor ${micros(of('floor').cpu)}, and ${micros(of('read').cpu)} for a GET; a second ${rate('list')}, ${rate('floor')}, ${rate('read')})`,
    met: share >= 0.6,
    holdsBack: 'The allowance of the address, which Redis counts, and the headers and the log line of each answer.',
  }
}

/** Most tokens of the list of a profile, as an agent with a key gets it by default. */
const TOKENS_MAX = { core: 5_500, hub: 15_000 } as const

/** Counts the tokens of the list of tools of each profile. */
const weights = ({ port }: Services): Promise<Figure[]> =>
  Promise.all(
    Object.entries(TOKENS_MAX).map(async ([profile, most]) => {
      const answer = await fetch(`http://127.0.0.1:${port}/mcp?profile=${profile}`, {
        method: 'POST',
        headers: { ...headersOf('tools/list'), 'x-svc-user-key': keys[0] ?? '' },
        body: messageOf('tools/list'),
      })
      const { result } = (await answer.json()) as { readonly result: { readonly tools: readonly unknown[] } }
      const tokens = encode(JSON.stringify({ tools: result.tools })).length
      return {
        what: `Tokens (o200k) of \`tools/list\` of profile ${profile}`,
        goal: `≤ ${most.toLocaleString('en')}`,
        measured: `${tokens.toLocaleString('en')}, ${result.tools.length} tools`,
        met: tokens <= most,
        holdsBack: 'What each tool and each member of its input does, in words.',
      }
    }),
  )

/** Connects clients that listen for changes of the list; returns the memory that each keeps in the gateway. */
async function listening({ port, pids: [gateway = 0] }: Services): Promise<Figure> {
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
  using memory = await memoryOf(gateway)
  // The first clients make the gateway compile code. That memory is not a cost of each client.
  for (const profile of Object.keys(CLIENTS))
    for (let at = 0; at < FIRST_CLIENTS; at += 1) (await open(profile)).sent.destroy()
  const before = await memory.read()
  const clients = []
  for (const [profile, count] of Object.entries(CLIENTS))
    for (let at = 0; at < count; at += 1) clients.push(await open(profile))
  const connected = clients.filter(({ status }) => status === 200).length
  const after = await memory.read()
  for (const { sent } of clients) sent.destroy()
  const each = (now: number, then: number) => `${((now - then) / connected / 1_000).toFixed(1)} KB`
  return {
    what: 'Clients that listen for changes of the tools, at once: memory that each takes in the gateway',
    goal: '500 clients',
    measured: `${connected} clients, ${each(after.heap, before.heap)} of heap each after a collection (resident ${each(after.resident, before.resident)})`,
    met: connected === 500,
    holdsBack: 'A connection and a stream for each; 200 of a profile at most.',
  }
}
