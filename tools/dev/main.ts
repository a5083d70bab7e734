import { readFileSync } from 'node:fs'
import { undeclaredNames, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { settingNamesOf } from '@svc/contracts'
import { createAssetPrices } from '@svc/replay-exchange'
import { ServerProblem } from '@svc/servers'
import { LIVE_SWITCHES, type LocalChain } from './chain.ts'
import { openDemoWallet, type DemoWallet } from './demo-wallet/open.ts'
import { blocksBehind, passReadBlocks } from './chain-position.ts'
import { failedStart } from './failed-start.ts'
import {
  beginHistory,
  historyToPlay,
  isUnfinished,
  keepHistory,
  keptHistory,
  refuseUnfinished,
  runnerSettings,
} from './history/kept.ts'
import { MONTH } from './history/plan.ts'
import { beginningOf, playHistory } from './history/play.ts'
import { holdPort } from './held-port.ts'
import { LEG_SWITCHES, venueIsOpen, type LegVenue } from './leg-venue.ts'
import { readOptions, type DevOptions } from './options.ts'
import { buildPages } from '../web/build.ts'
import { preparePlatform, type Prepared } from './platform.ts'
import { openProgress } from './progress.ts'
import { openStatusPage } from './status-page.ts'
import { followPrices } from './venue-prices.ts'
import { SERVICES, startInProcess, startIsolated, type Running } from './services.ts'

const INTERNAL_PORT = 9464
/** Set by the launcher; this command ends with it. */
const LAUNCHER_PID = 'SVC_LAUNCHER_PID'
const FORCE_AFTER_MS = 2_000
/** Ends a start that hangs; everything that a step waits for has a shorter limit. */
const STEP_MAX_MS = 180_000
/** Ends a history of which no day passes. A day takes some seconds, and a busy machine may need many times that. */
const DAY_MAX_MS = 900_000
/** Set by this command for every service; the environment cannot change them. */
const OWNED = new Set([
  'SVC_NATS_URL',
  'SVC_NATS_SEED',
  'SVC_POSTGRES_URL',
  'SVC_REDIS_URL',
  'SVC_PORT',
  'SVC_INTERNAL_PORT',
])

const ADDED = new Set(['SVC_ADMIN_WALLETS', 'SVC_REVIEWER_WALLETS'])

class Interrupted extends Error {}

const stopRequest = new AbortController()

function listenForStop(): void {
  let first = 0
  const request = () => {
    first ||= Date.now()
    // A launcher may pass the same Ctrl-C on; only a later one forces the end.
    if (Date.now() - first > FORCE_AFTER_MS) process.exit(1)
    stopRequest.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request)
  const launcher = Number(process.env[LAUNCHER_PID] ?? 0)
  if (launcher === process.ppid) setInterval(() => process.ppid === launcher || stopRequest.abort(), 1_000).unref()
  process.stdout.on('error', () => {})
}

/** Tells the recorded day of the first page; null without recordings. Its rules are loaded when somebody wants to see it. */
async function recordedDay(): Promise<object | null> {
  const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
  return replayDir === '' ? null : (await import('../web/story.ts')).tellRecorded(replayDir)
}

/** Returns the settings of the environment; its wallets are added to the local ones, which the demo needs. */
function givenSettings(local: Environment): Environment {
  const given = Object.keys(process.env).filter((name) => !OWNED.has(name))
  return Object.fromEntries(
    given.map((name) => [
      name,
      ADDED.has(name) && local[name] !== undefined ? `${local[name]},${process.env[name]}` : process.env[name],
    ]),
  )
}

/** Prints settings that no service declares, such as a misspelt switch. */
function noteUndeclared(note: (line: string) => void): void {
  const known = new Set([...contracts.flatMap((contract) => [...settingNamesOf(contract)]), LAUNCHER_PID])
  const unknown = undeclaredNames(process.env, known)
  if (unknown.length > 0) note(`no service declares these settings; they have no effect: ${unknown.join(', ')}`)
}

/** Starts the servers of the options and, with a new data folder if it is wanted, plays the history. */
async function prepare(
  { dataDir, venues, withHistory }: DevOptions,
  given: {
    readonly address: string
    readonly step: (name: string) => void
    readonly note: (line: string) => void
    /** Called while a step makes progress. */
    readonly advance: (stepMaxMs: number) => void
  },
): Promise<Prepared> {
  const { address, step, note, advance } = given
  refuseUnfinished(dataDir)
  const { POSTGRES_URL, NATS_URL, REDIS_URL, HUB_RPC_URL, HUB_RPC_URL_FILE } = process.env
  const chain = (HUB_RPC_URL ?? HUB_RPC_URL_FILE) === undefined
  if (withHistory && !chain)
    throw new ServerProblem('--with-history needs the local chain: remove HUB_RPC_URL from the environment.')
  const size = withHistory ? historyToPlay(dataDir, MONTH) : null
  const prepared = await preparePlatform({
    dataDir,
    publicUrl: process.env['SVC_PUBLIC_URL'] ?? address,
    postgres: POSTGRES_URL ?? true,
    nats: NATS_URL ?? true,
    redis: REDIS_URL ?? true,
    chain,
    ...(size === null ? {} : { chainSince: beginningOf(size, new Date()) }),
    venues,
    leg: venueIsOpen(process.env),
    prices: createAssetPrices(),
    supervise: true,
    onStep: step,
    log: note,
  })
  try {
    const { folder, postgres } = prepared.servers
    if (size !== null) {
      beginHistory(folder)
      const onDay = () => advance(DAY_MAX_MS)
      keepHistory(folder, await playHistory(prepared, { size, onStep: step, onDay }))
    }
    if (prepared.chain !== null) await passReadBlocks(prepared.chain.url, postgres.url)
    return prepared
  } catch (error) {
    await prepared.servers.stop()
    throw error
  }
}

async function run(options: DevOptions): Promise<void> {
  const started = performance.now()
  const { port, dataDir, isolate } = options
  const address = `http://127.0.0.1:${port}`
  const progress = openProgress({
    write: (text) => process.stdout.write(text),
    tty: process.stdout.isTTY,
    stepMaxMs: STEP_MAX_MS,
    onStuck: (name, seconds) => {
      process.stderr.write(
        `Waited ${seconds} s for: ${name}. See ${dataDir}/logs and how busy the machine is, then ${retryOf(dataDir)}.\n`,
      )
      // The servers end with this process.
      process.exit(1)
    },
  })
  const step = (name: string) => {
    if (stopRequest.signal.aborted) throw new Interrupted()
    progress.step(name)
  }
  const held = await holdPort(port, process.env['SVC_HOST'] ?? '127.0.0.1')

  const note = (line: string) => progress.note(line)
  let prepared: Prepared | null = null
  let services: Running | null = null
  let demo: DemoWallet | null = null
  let status: Awaited<ReturnType<typeof openStatusPage>> | null = null
  let following: ReturnType<typeof followPrices> | null = null
  try {
    noteUndeclared(note)
    // Beside the start of the servers; without the pages everything else still works.
    const building = buildPages().catch((error: unknown) =>
      note(error instanceof Error ? error.message : String(error)),
    )
    prepared = await prepare(options, { address, step, note, advance: progress.advance })
    step('pages')
    await building
    step(isolate ? 'services, a process each' : 'services')
    const ready = prepared
    const history = keptHistory(ready.servers.folder)
    const more = (service: string): Environment => ({
      SVC_GATEWAY_URL: address,
      ...(history === null ? {} : runnerSettings(history)),
      ...givenSettings(ready.environmentOf(service)),
      SVC_PORT: String(port),
      SVC_INTERNAL_PORT: isolate ? '0' : String(INTERNAL_PORT),
    })
    demo =
      isolate || ready.chain === null
        ? null
        : openDemoWallet(ready, ready.chain, { webOrigin: webOriginOf(address), baseUrl: address }, recordedDay)
    const extend = demo?.extend
    if (isolate) held.release()
    services = isolate
      ? await startIsolated(prepared, more, note)
      : await startInProcess(prepared, more, {
          note,
          overridesOf: (service) => {
            if (service !== 'gateway') return {}
            held.release()
            return extend === undefined ? {} : { extend }
          },
        })
    if (demo !== null) {
      step('the demo agent and its owner')
      await demo.enrol().catch((error: unknown) => note(`the demo agent could not be enrolled: ${String(error)}`))
    }
    if (ready.chain !== null)
      following = followPrices({ ...ready.chain, admin: ready.chain.wallets.admin }, ready.servers.folder, {
        prices: createAssetPrices(),
        onProblem: note,
      })
    progress.finish()
    if (services.late !== '') progress.note(`not ready yet: ${services.late}; everything else can be used`)
    prepared.servers.folder.write(
      'platform.json',
      `${JSON.stringify({
        pid: process.pid,
        url: address,
        chain: prepared.chain?.url ?? null,
        leg_venue: prepared.legVenue?.url ?? null,
      })}\n`,
    )
    status = await openStatusPage([...services.internalPorts.values()])
    const behind = prepared.chain === null ? 0 : await blocksBehind(prepared.chain.url, prepared.servers.postgres.url)
    printTable({ prepared, ports: services.internalPorts, status: status.url }, options, performance.now() - started)
    process.stdout.write(`ready ${address}${behind === 0 ? '' : ` (${behindText(behind, prepared)})`}\n`)
    if (!stopRequest.signal.aborted)
      await new Promise((resolve) => stopRequest.signal.addEventListener('abort', resolve, { once: true }))
    process.stdout.write('\nstopping: services drain first, then the servers\n')
  } catch (error) {
    // Work that Ctrl-C interrupts may fail in any way.
    if (!(error instanceof Interrupted) && !stopRequest.signal.aborted) throw error
  } finally {
    held.release()
    status?.close()
    await following?.stop()
    await demo?.stop()
    await services?.stop()
    await prepared?.servers.stop()
  }
}

/** Returns the end of the ready line about a chain that is behind its database. */
const behindText = (blocks: number, { servers: { folder } }: Prepared): string =>
  `the local chain is behind its database by ${blocks} ${blocks === 1 ? 'block' : 'blocks'}, and vaults and deposits stand still: ` +
  `restore ${folder.file('chain-state.json')} from a backup, or stop, delete ${folder.path} and start again`

/** Returns what to do after a start that hung. */
const retryOf = (dataDir: string): string =>
  isUnfinished(dataDir) ? `delete ${dataDir} and start again` : 'start again'

/** Returns the address under which browsers know the platform. */
const webOriginOf = (address: string): string => new URL(process.env['SVC_PUBLIC_URL'] ?? address).origin

function printTable(
  {
    prepared,
    ports,
    status,
  }: { readonly prepared: Prepared; readonly ports: ReadonlyMap<string, number>; readonly status: string },
  { port, isolate }: DevOptions,
  ms: number,
): void {
  const { postgres, nats, redis, folder } = prepared.servers
  const api = `http://127.0.0.1:${port}`
  const inside = (service: string, path: string) => `http://127.0.0.1:${ports.get(service)}${path}`
  const rows = [
    ['API', api],
    ['For people', `${api}/ui   ${api}/ui/docs`],
    ['For programs', `${api}/openapi.json  ${api}/llms.txt  ${api}/discovery`],
    ['For agents', `${api}/mcp?profile=hub  ${api}/hub/door  ${api}/hub/skill.md`],
    ['Health', `${api}/health`],
    ['For operators', `${status}   (services, workers, lags, switches)`],
    ...(isolate
      ? SERVICES.map((service) => [service, `${inside(service, '/readyz')}  ${inside(service, '/metrics')}`])
      : [['Readiness, metrics', `${inside('gateway', '/readyz')}  ${inside('gateway', '/metrics')}`]]),
    ['Postgres, NATS, Redis', `127.0.0.1:${postgres.port}  127.0.0.1:${nats.port}  127.0.0.1:${redis.port}`],
    ...chainRows(prepared.chain),
    ['Market data', prepared.venues.title],
    ['Venue of the leg', legVenueText(prepared.legVenue)],
    ['Data and secrets', folder.path],
    ['Next, elsewhere', 'npm run demo   (an agent’s first days, and a mandate)'],
    ...(prepared.chain === null ? [] : [['', 'npm run demo -- vault   (a vault’s whole life)']]),
  ]
  const table = rows.map(([name = '', value = '']) => `  ${name.padEnd(24)}${value}`).join('\n')
  process.stdout.write(`\n${table}\n\nstarted in ${(ms / 1000).toFixed(1)} s; Ctrl-C stops\n`)
}

/** Returns the line about the venue in which legs trade. */
const legVenueText = (venue: LegVenue | null): string =>
  venue === null
    ? 'as the HUB_HL_ settings say'
    : `${venue.url}  (rig with play money; leg on: ${Object.entries(LEG_SWITCHES)
        .map(([name, value]) => `${name}=${process.env[name] ?? value}`)
        .join(' ')})`

function chainRows(chain: LocalChain | null): string[][] {
  if (chain === null) return [['Chain', 'as HUB_RPC_URL says']]
  const { factory, factory_v2, usdc, venue, leg_gateway } = chain.deployment.contracts
  return [
    ['Chain', `${chain.url}  id ${chain.deployment.chain_id}`],
    ['Vault factories', `${factory.address} (v1)  ${factory_v2.address} (v2)`],
    ['Test USDC', usdc.address],
    ['Test venue, gateway', `${venue.address}  ${leg_gateway.address}`],
    ...chain.wallets.demo.map(({ address }, index) => [index === 0 ? 'Demo wallets' : '', address]),
    ['Gas drip', `POST /hub/gas/drip, paid by ${chain.wallets.funder.address}`],
    ['Deployment file', chain.deploymentFile],
    ...Object.entries(LIVE_SWITCHES).map(([name, value], index) => [
      index === 0 ? 'Switches set' : '',
      `${name}=${process.env[name] ?? value}`,
    ]),
  ]
}

async function main(): Promise<void> {
  let port = 0
  try {
    const options = readOptions(process.argv.slice(2))
    port = options.port
    if (options.help) {
      process.stdout.write(readFileSync(new URL('help.txt', import.meta.url), 'utf8'))
      return
    }
    listenForStop()
    await run(options)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${failedStart(error, port)}\n`)
    process.exit(1)
  }
}

await main()
