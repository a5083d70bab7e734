import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SettingDeclaration } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { postgresSettings, serviceSettings } from '@svc/contracts/settings'
import { freePort, readPassword, rpc } from '@svc/servers'
import { eventually } from '@svc/testing'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mainOf } from '../dev/services.ts'
import { dashboards, queriesOf } from '../generate/observability/dashboards.ts'
import { alerts, metricsIn } from '../generate/observability/rules.ts'
import { ask } from './client.ts'
import { registerAgent, signed } from './people.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const launcher = join(repository, 'tools/with-node24.mjs')
const command = join(repository, 'tools/dev/main.ts')
const isRoot = process.getuid?.() === 0

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-start-'))
  chmodSync(dir, 0o755)
})
afterAll(() => {
  for (const { pid = 0, exitCode, signalCode } of started)
    if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  lines(): string[]
  errors(): string
}

const started: ChildProcess[] = []

/** A platform with a small market: nobody looks at it. */
function start(args: readonly string[], prefix: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): Run {
  const [file = '', ...rest] = [...prefix, process.execPath, launcher, command, '--tokens', '30', ...args]
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true })
  started.push(child)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  return {
    child,
    ended: new Promise((resolve) => void child.once('close', resolve)),
    lines: () => out.trimEnd().split('\n'),
    errors: () => err,
  }
}

/** Ctrl-C: a terminal signals every process of the group, not only the first. */
const interrupt = (run: Run) => process.kill(-(run.child.pid ?? 0), 'SIGINT')

/**
 * Resolves when a line says that it is ready; rejects with what it printed when it ends before. A service may have logged
 * something since. An ordinary user has no compiled code yet, so that beside other tests a start may take a minute.
 */
async function ready(run: Run): Promise<string> {
  const line = eventually(() => /^ready (\S+)$/m.exec(run.lines().join('\n'))?.[1] ?? false)
  const early = run.ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${run.errors()}`)))
  return String(await Promise.race([line, early]))
}

/** Processes that were started with a path of the data folder in their arguments. */
function processesOf(dataDir: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${dataDir}/`)
    } catch {
      return false
    }
  })
}

/** The local chain of a running platform. */
function chainOf(dataDir: string): { url: string; contracts: Record<string, { address: string }> } {
  const read = (name: string) => JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as Record<string, unknown>
  const { contracts } = read('deployment.json') as { contracts: Record<string, { address: string }> }
  return { url: String(read('platform.json')['chain']), contracts }
}

async function signInMessage(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/wallet/nonce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address: `0x${'11'.repeat(20)}` }),
  })
  return ((await response.json()) as { message: string }).message
}

/** Direct children of a process. */
function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string }[]
}

/** A trace collector on the loopback interface that keeps every span. */
async function openCollector(): Promise<{ url: string; spans: Span[]; close(): void }> {
  const spans: Span[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, close: () => server.close() }
}

/** Names of the spans from the root of its trace to each span of a name. */
function pathsTo(spans: readonly Span[], name: string): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const pathOf = (span: Span): string => {
    const parent = byId.get(span.parentSpanId ?? '')
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`
  }
  return spans.filter((span) => span.name === name).map(pathOf)
}

/** What alerts and dashboards read of the platform itself. */
const METRICS = [...new Set([...alerts.map(({ expr }) => expr), ...queriesOf(dashboards)].flatMap(metricsIn))].filter(
  (name) => /^(?:hub|cherry)_/.test(name) && name !== 'hub_live_expected',
)
/** A label that would grow with what people do: an address, an id or a hash. */
const UNBOUNDED = /^(?:hub|cherry)_[^\n]*"[^"]*(?:0x[0-9a-f]{8}|_[0-9a-f]{16}|[0-9a-f]{8}-[0-9a-f]{4}-)/m
const STRANGERS_TRACE = '0af7651916cd43dd8448eb211c80319c'

// A start costs ten seconds of CPU, so the tests from here to the kill share two starts of one data folder.
describe('npm start', () => {
  const dataDir = () => join(dir, 'kept')
  let port: number
  let first: Run
  let url: string
  let collector: Awaited<ReturnType<typeof openCollector>>
  let metricsPort: Server
  let kept: { readonly secrets: string; readonly chain: ReturnType<typeof chainOf>; readonly head: number }
  const headOf = async () => Number(await rpc(chainOf(dataDir()).url, 'eth_blockNumber'))

  beforeAll(async () => {
    port = await freePort()
    collector = await openCollector()
    metricsPort = createServer().on('error', () => {})
    first = start(['--port', String(port), '--data', dataDir()], [], {
      ...process.env,
      SVC_OTLP_URL: collector.url,
      SVC_TRACE_RATIO: '1',
    })
    // Occupied once its services start, as by another platform that started at the same time.
    first.child.stdout?.on('data', (chunk: Buffer) => {
      if (/^ {2}pages /m.test(chunk.toString()) && !metricsPort.listening) metricsPort.listen(9464, '127.0.0.1')
    })
    url = await ready(first)
  })
  afterAll(() => {
    metricsPort?.close()
    collector?.close()
  })

  test('prints each step, the contracts and every service that is ready, and answers at the printed address', async () => {
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    const lines = first.lines()
    expect(lines.filter((line) => /^ {2}\S.* \d+\.\d\d s$/.test(line)).length).toBeGreaterThanOrEqual(6)
    for (const name of ['factory', 'factory_v2', 'usdc', 'venue', 'leg_gateway'])
      expect(lines.join()).toContain(chainOf(dataDir()).contracts[name]?.address)
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}Venue of the leg +http:\/\/127\.0\.0\.1:\d+ /))
    for (const { name } of contracts)
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ +${name} is ready after \\d+\\.\\d\\d s$`)))
    expect(await signInMessage(url)).toContain('\nChain ID: 31337\n')
    const agents = lines.find((line) => line.startsWith('  For agents ')) ?? ''
    const doors = [...agents.matchAll(/http:\S+/g)].map(([address]) => address)
    expect(doors).toEqual(['/mcp?profile=hub', '/hub/door', '/hub/skill.md'].map((path) => `${url}${path}`))
    const statuses = await Promise.all(doors.map(async (address) => (await fetch(address)).status))
    expect(statuses).toEqual([405, 402, 200])
  })

  test('keeps switches and the deployment from other users of the machine, and the chain from pages of others', async () => {
    const modeOf = (name: string) => statSync(join(dataDir(), name)).mode & 0o777
    expect([modeOf('switches'), modeOf('deployment.json')]).toEqual([0o700, 0o600])
    const preflight = await fetch(chainOf(dataDir()).url, {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(url)
  })

  test('refuses a data folder or a port that is in use, in one sentence', async () => {
    const sameFolder = start(['--port', String(await freePort()), '--data', dataDir()])
    expect(await sameFolder.ended).toBe(1)
    expect(sameFolder.errors()).toMatch(
      /^The data folder .* is in use by process \d+: stop that one first or choose another folder with --data\.\n$/,
    )
    const samePort = start(['--port', String(port), '--data', join(dir, 'other')])
    expect(await samePort.ended).toBe(1)
    expect(samePort.errors()).toBe(
      `Port ${port} is in use: stop the process that uses it or choose another one with --port.\n`,
    )
    expect(samePort.lines()).toEqual([''])
    expect(existsSync(join(dir, 'other'))).toBe(false)
  })

  test('exposes every metric that alerts and dashboards read, without a label that grows with its users', async () => {
    await registerAgent(url)
    const traceparent = `00-${STRANGERS_TRACE}-b7ad6b7169203331-01`
    expect((await fetch(`${url}/prices`, { headers: { traceparent } })).status).toBe(200)
    const metricsUrl = /http:\S+\/metrics/.exec(first.lines().join('\n'))?.[0] ?? ''
    expect(new URL(metricsUrl).port).not.toBe('9464')
    await eventually(async () => {
      const text = await (await fetch(metricsUrl)).text()
      expect(METRICS.filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(text))).toEqual([])
      expect(text).not.toMatch(UNBOUNDED)
      const page = /http:\S+(?= +\(services, workers)/.exec(first.lines().join('\n'))?.[0] ?? ''
      expect(await (await fetch(page)).text()).toContain('<td>keeper</td><td>mark</td><td>live</td>')
    })
  })

  test('a request is one trace from the edge over the service to its SQL, the chain and the venue', async () => {
    const wallets = [1, 2].map(() => privateKeyToAccount(generatePrivateKey()))
    const [owner, other] = wallets as [LocalAccount, LocalAccount]
    const proof = { ...(await signed(url, owner, 'session')), wallet_address: owner.address }
    // A signature of another wallet could be that of a contract: the chain is asked for its code.
    const signature = await other.signMessage({ message: proof.message })
    expect((await ask(url, '/auth/wallet/session', { body: { ...proof, signature } })).status).toBe(401)
    expect((await ask(url, `/hub/info/fees?user=${owner.address}`)).status).toBe(200)
    await eventually(() => {
      expect(pathsTo(collector.spans, 'chain eth_getCode')).toContain(
        'POST /auth/wallet/session > process identity.openSession > chain eth_getCode',
      )
      expect(pathsTo(collector.spans, 'UPDATE')).toContain(
        'POST /auth/wallet/session > process identity.openSession > UPDATE',
      )
      expect(pathsTo(collector.spans, 'venue userFees')).toContain(
        'GET /hub/info/fees > process hl-relay.readFees > venue userFees',
      )
    })
  })

  test('on SIGTERM ends every server, exits with 0, and has sent traces of its own alone to the collector', async () => {
    kept = {
      secrets: readFileSync(join(dataDir(), 'secrets.json'), 'utf8'),
      chain: chainOf(dataDir()),
      head: await headOf(),
    }
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(processesOf(dataDir())).toEqual([])
    const span = collector.spans.find(({ name }) => name === 'GET /prices')
    expect(span?.parentSpanId ?? '').toBe('')
    expect(span?.attributes.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['http.request.method', 'http.route', 'http.response.status_code']),
    )
    expect(collector.spans.map(({ traceId }) => traceId)).not.toContain(STRANGERS_TRACE)
    const names = collector.spans.filter(({ traceId }) => traceId === span?.traceId).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['process mining.readPrices', 'SELECT']))
  })

  describe.skipIf(process.platform !== 'linux')('with a process per service', () => {
    let isolated: Run
    let platformPid: number
    const services = () => childrenOf(platformPid)

    beforeAll(async () => {
      isolated = start(['--port', String(port), '--data', dataDir(), '--isolate'], [], {
        ...process.env,
        SVC_DAILY_LIMIT_FREE: '101',
        SVC_OTLP_URL: collector.url,
        HUB_LEG_FUNDNIG: 'test',
      })
      expect(await ready(isolated)).toBe(url)
      platformPid = (JSON.parse(readFileSync(join(dataDir(), 'platform.json'), 'utf8')) as { pid: number }).pid
    })

    test('keeps secrets, contracts and blocks of the start before', async () => {
      expect((await fetch(`${url}/health`)).status).toBe(200)
      expect(readFileSync(join(dataDir(), 'secrets.json'), 'utf8')).toBe(kept.secrets)
      expect(chainOf(dataDir())).toEqual(kept.chain)
      expect(await headOf()).toBeGreaterThanOrEqual(kept.head)
      for (const { address } of Object.values(kept.chain.contracts))
        expect(String(await rpc(kept.chain.url, 'eth_getCode', [address, 'latest'])).length).toBeGreaterThan(100)
    })

    test('gives each process the settings that its contract declares and no others, SVC_OTLP_URL to all, and names undeclared settings', () => {
      const processes = services().map(processOf)
      expect(processes.flatMap(({ service }) => service ?? []).sort()).toEqual(contracts.map(({ name }) => name).sort())
      const secrets = ['session-signing-key', 'keeper-client'].map((name) => readPassword(dataDir(), name) ?? name)
      expect(processes.flatMap((one) => foreignSettingsOf(one, secrets))).toEqual([])
      const gateway = processes.find(({ service }) => service === 'gateway')
      expect(gateway?.environment['SVC_DAILY_LIMIT_FREE']).toBe('101')
      const untraced = processes.filter(
        ({ service, environment }) => service !== null && environment['SVC_OTLP_URL'] !== collector.url,
      )
      expect(untraced.map(({ service }) => service)).toEqual([])
      const lines = isolated.lines().filter((line) => line.includes('HUB_LEG_FUNDNIG'))
      expect(lines).toEqual(['  no service declares these settings; they have no effect: HUB_LEG_FUNDNIG'])
    })

    test('after kill -9 leaves no server and no service behind', async () => {
      const children = services()
      expect(children.length).toBeGreaterThan(5)
      process.kill(platformPid, 'SIGKILL')
      await isolated.ended
      await eventually(() => children.every((child) => !existsSync(`/proc/${child}`)))
    })

    // The long run starts a process per service again; the short one, all services in one process, which costs half.
    test('starts again after kill -9, and Ctrl-C drains it with code 0 and no alarm', async () => {
      const isolate = process.env['TEST_LONG'] === '1' ? ['--isolate'] : []
      const again = start(['--port', String(port), '--data', dataDir(), ...isolate])
      await ready(again)
      expect(chainOf(dataDir()).contracts['factory']?.address).toMatch(/^0x/)
      expect(await drains(again)).toEqual([])
    })
  })
})

const STOPPING = 'stopping: services drain first, then the servers'

/** Sends Ctrl-C and expects that the platform drains: exit code 0. Returns the lines after the one that says so. */
async function drains(run: Run): Promise<readonly string[]> {
  interrupt(run)
  const code = await run.ended
  const lines = run.lines()
  const at = lines.indexOf(STOPPING)
  expect({ code, drained: at >= 0 }, run.errors()).toEqual({ code: 0, drained: true })
  return lines.slice(at + 1)
}

interface ServiceEnvironment {
  readonly command: string
  /** Null for a server. */
  readonly service: string | null
  readonly environment: Readonly<Record<string, string>>
}

/** Returns the command and the environment of a process. */
function processOf(pid: string): ServiceEnvironment {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((line) => line.includes('='))
  return {
    command,
    service: contracts.find(({ name }) => command.split('\0').includes(mainOf(name)))?.name ?? null,
    environment: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  }
}

/** Returns the settings that a process has and its contract does not declare, and secrets under any other name. */
function foreignSettingsOf({ command, service, environment }: ServiceEnvironment, secrets: readonly string[]) {
  const declared = Object.values({
    ...serviceSettings,
    ...postgresSettings,
    ...contracts.find(({ name }) => name === service)?.settings,
  } as Record<string, SettingDeclaration>).map(({ env }) => env)
  return Object.entries(environment)
    .filter(
      ([name, value]) =>
        (/^(HUB|SVC|CDP|MARKET|POSTGRES)_/.test(name) && (service === null || !declared.includes(name))) ||
        (service !== 'identity' && secrets.includes(value)),
    )
    .map(([name]) => `${service ?? command.split('\0', 1)[0]}: ${name}`)
}

test('a broken data folder is answered with one sentence', async () => {
  const dataDir = join(dir, 'broken')
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  const run = start(['--port', String(await freePort()), '--data', dataDir])
  expect(await run.ended).toBe(1)
  expect(run.errors()).toMatch(/^.*PG_VERSION is missing.*: restore it from a backup, or remove it to start over\.\n$/)
})

test('--help needs no installed dependencies, and installs none for a tool that has no text of its own', () => {
  const lonely = join(dir, 'lonely')
  cpSync(launcher, join(lonely, 'tools/with-node24.mjs'))
  cpSync(join(repository, 'tools/dev/help.txt'), join(lonely, 'tools/dev/help.txt'))
  const helpOf = (tool: string) =>
    spawnSync(process.execPath, ['tools/with-node24.mjs', tool, '--help'], { cwd: lonely, encoding: 'utf8' })
  const { status, stdout } = helpOf('tools/dev/main.ts')
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('--isolate') })
  for (const tool of ['tools/dev/setup.ts', 'tools/recompute/main.ts']) {
    const answer = helpOf(tool)
    expect({ status: answer.status, stdout: answer.stdout, stderr: answer.stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `The help of ${tool} needs the dependencies, which are not installed: run npm ci, then repeat this command.\n`,
    })
  }
  expect(readdirSync(lonely)).toEqual(['tools'])
})

interface Home {
  readonly dataDir: string
  /** Words before the command. */
  readonly prefix: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Returns a new home of an ordinary user, or of this user if it is one or no other one can read this checkout. */
function ordinaryHome(name: string): Home {
  const home = join(dir, name)
  mkdirSync(home, { recursive: true })
  const dataDir = join(home, 'data')
  if (!isRoot || !reachable()) return { dataDir, prefix: [], env: process.env }
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svc-servers')
  if (existsSync(cache)) cpSync(cache, join(home, 'svc-servers'), { recursive: true, verbatimSymlinks: true })
  spawnSync('chown', ['-R', '65534:65534', home])
  const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
  return { dataDir, prefix, env: { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: home } }
}

test('an ordinary user can start it, and with HUB_RPC_URL no local chain is started and nothing is deployed', async () => {
  const { dataDir, prefix, env } = ordinaryHome('elsewhere')
  const elsewhere = { ...env, HUB_RPC_URL: 'http://127.0.0.1:1/v2/0123abcd', HUB_CHAIN_ID: '31337' }
  const run = start(['--port', String(await freePort()), '--data', dataDir], prefix, elsewhere)
  await ready(run)
  expect(existsSync(join(dataDir, 'deployment.json'))).toBe(false)
  expect(existsSync(join(dataDir, 'chain-state.json'))).toBe(false)
  expect(run.lines().join('\n') + run.errors()).not.toContain('0123abcd')
  await drains(run)
})

// A start costs ten seconds of CPU.
test.each(process.env['TEST_LONG'] === '1' ? ['home'] : [])(
  'an ordinary user runs the local chain too',
  async (name) => {
    const { dataDir, prefix, env } = ordinaryHome(name)
    const run = start(['--port', String(await freePort()), '--data', dataDir], prefix, env)
    await ready(run)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  },
)

/** Returns true if another user can read this checkout. */
function reachable(): boolean {
  try {
    accessSync(launcher, constants.R_OK)
    return (
      spawnSync(
        'setpriv',
        ['--reuid=65534', '--regid=65534', '--clear-groups', '--', 'cat', launcher, process.execPath],
        { stdio: 'ignore' },
      ).status === 0
    )
  } catch {
    return false
  }
}
