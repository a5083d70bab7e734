import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Contract, Environment, JobDeclaration, SettingDeclaration } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { openLog, type Service } from '@svc/service'
import { inherited, opened, testStack } from '@svc/testing'
import { startVenueRig } from '@svc/venue-rig'
import { afterAll, expect, test } from 'vitest'
import { HANG_MS } from '../check/run-shell.ts'
import { mainOf } from '../dev/services.ts'

const stack = opened(() => testStack(contracts))
/** The jobs of the leg and of the trading side read the venue; no test asks the real one. */
const venue = opened(() => startVenueRig())

/** Runs the command line of a service. */
async function run(service: string, words: readonly string[], more: Environment = {}) {
  const env = stack.environmentOf(service, { SVC_LOG_LEVEL: 'info', ...own[service]?.(), ...more })
  const options = { env: { ...inherited(), ...env } as NodeJS.ProcessEnv, timeout: 600_000 }
  const ended = await promisify(execFile)(process.execPath, [mainOf(service), ...words], options).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code: ended.code, stdout: ended.stdout, stderr: ended.stderr }
}
const atVenue = () => ({ HUB_HL_INFO_URL: `${venue.url}/info`, HUB_HL_EXCHANGE_URL: `${venue.url}/exchange` })
/** Settings that a service needs besides its servers. */
const own: Readonly<Record<string, () => Environment>> = {
  identity: () => ({ SVC_SESSION_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64url') }),
  'hl-leg': atVenue,
  'hl-trade': atVenue,
}

type Ended = { code: number; stderr: string; last: object }
const lastOf = (lines: string) => JSON.parse(lines.trim().split('\n').at(-1) ?? '') as object

/** Runs a job once from the command line; returns the exit code, stderr and the last line of the log. */
async function runByCommand(service: string, job: string, ...options: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await run(service, ['--job', job, '--once', ...options])
  return { code, stderr, last: lastOf(stdout) }
}

/** Does in this process what the command line does: another process takes a second of a core to start. */
async function runOnce(service: string, job: string, dryRun = false): Promise<Ended> {
  const { runJob } = (await import(mainOf(service))) as Pick<Service, 'runJob'>
  let lines = ''
  const log = openLog(service, 'info', { write: (line) => void (lines += line) })
  const code = await runJob(job, stack.environmentOf(service, own[service]?.()), { log, dryRun })
  return { code, stderr: '', last: lastOf(lines) }
}

const success = (service: string) => ({
  code: 0,
  stderr: '',
  last: { service, msg: 'done', done: expect.any(Number) as number },
})

/** The last job of every service with jobs. */
const lastJobs = contracts.flatMap(({ name, jobs }) => {
  const job = Object.keys(jobs).at(-1)
  return job === undefined ? [] : [[name, job] as const]
})

test.each(lastJobs)('%s runs its job %s once on a fresh platform', async (service, job) => {
  expect(await runOnce(service, job)).toMatchObject(success(service))
})

test('a second run of a job has the same result as the first', async () => {
  for (const _ of ['first', 'second'])
    expect(await runByCommand('mining', 'payoutsOfTheDay')).toMatchObject(success('mining'))
})

test('an unknown name is answered with the jobs of the service', async () => {
  const [{ name, jobs }] = contracts.filter(({ jobs: own }) => Object.keys(own).length > 2) as [Contract]
  const unknown = await run(name, ['--job', 'nothing', '--once'])
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr.trim().split('\n')).toHaveLength(1)
  for (const job of Object.keys(jobs)) expect(unknown.stderr).toContain(job)
})

test.each([
  ['chain-indexer', '--job vaultEvents --once'],
  ['gallery', '--job hallSnapshot --once --dry-run'],
  ['hl-leg', '--job stopLine --once'],
  ['keeper', '--job mark --once'],
  ['gallery', '--rebuild-facts'],
])('the documented command of %s succeeds on a fresh platform: %s', async (service, words) => {
  const { code, stdout, stderr } = await run(service, words.split(' '))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(lastOf(stdout)).toMatchObject({ service, msg: 'done' })
})

/** Addresses of contracts on a chain that does not answer: services start without it. */
const folder = mkdtempSync(join(tmpdir(), 'svc-alone-'))
const deploymentFile = join(folder, 'deployment.json')
const addresses = ['usdc', 'venue', 'leg_gateway', 'vault', 'vault_v2', 'factory', 'factory_v2'].map((name, at) => [
  name,
  { address: `0x${String(at + 1).padStart(40, '0')}`, code_hash: `0x${'0'.repeat(64)}` },
])
writeFileSync(
  deploymentFile,
  JSON.stringify({
    version: 1,
    chain_id: 31337,
    start_block: 0,
    admin: `0x${'1'.repeat(40)}`,
    keeper: `0x${'2'.repeat(40)}`,
    contracts: Object.fromEntries(addresses) as object,
  }),
)
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the settings that the README of a service names where it says how the service runs alone. */
function settingsAlone(service: string): readonly string[] {
  const text = readFileSync(join(dirname(mainOf(service)), '../README.md'), 'utf8')
  const section = /\bRun it alone\b([\s\S]*?)(?=Tests: |tests: |$)/.exec(text)?.[1] ?? expect.fail()
  // What a service needs stands before what else it can do.
  const needed = section.split(/It is a dry run until|--job /)[0] ?? ''
  return [...needed.matchAll(/\b(?:SVC|HUB|MARKET)_[A-Z_]+/g)].map(([name]) => name)
}

test.each(contracts.map(({ name }) => name))(
  '%s starts alone with the settings that its README names, and drains on SIGTERM',
  async (service) => {
    const all: Environment = {
      ...stack.environmentOf(service),
      ...own[service]?.(),
      HUB_RPC_URL: 'http://127.0.0.1:9',
      HUB_DEPLOYMENT_FILE: deploymentFile,
      MARKET_VENUES: 'binance',
    }
    const named = Object.fromEntries(settingsAlone(service).map((name) => [name, all[name]]))
    // Where a test may listen and as whom it may talk to this NATS; the rest is of the README.
    const { SVC_NATS_URL, SVC_NATS_SEED, SVC_INTERNAL_PORT, SVC_PORT } = all
    const env = { SVC_NATS_URL, SVC_NATS_SEED, SVC_INTERNAL_PORT, SVC_PORT, ...inherited(), ...named }
    const child = fork(mainOf(service), [], {
      env: env as NodeJS.ProcessEnv,
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const ended = once(child, 'exit')
    try {
      // A service reports to whoever started it that it is ready.
      await Promise.race([once(child, 'message'), ended])
      child.kill('SIGTERM')
      expect(await ended, output).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  },
  HANG_MS,
)

test('the stop line without the seed of its keys ends with 1 and one sentence that names the setting', async () => {
  const ended = await run('hl-leg', ['--job', 'stopLine', '--once'], { HUB_HL_LEG_ENABLED: '1' })
  expect(ended).toMatchObject({
    code: 1,
    stderr: 'The stop line signs with the keys of legs: set HUB_HL_LEG_SEED, or turn HUB_HL_LEG_ENABLED off.\n',
  })
  expect(ended.stdout).not.toContain('"done"')
})

const dryRuns = contracts.flatMap(({ name, jobs }) => {
  const dry = Object.entries<JobDeclaration>(jobs).find(([, { dryRun }]) => dryRun !== undefined)
  return dry === undefined ? [] : [[name, dry[0]] as const]
})

test('every service with a dry-run setting has a job that --dry-run applies to', () => {
  const settings = contracts.filter(({ settings: group }) =>
    Object.values<SettingDeclaration>(group).some(({ env }) => env.endsWith('_DRY_RUN')),
  )
  expect(dryRuns.map(([service]) => service)).toEqual(settings.map(({ name }) => name))
})

test.each(dryRuns)('%s makes a dry run of %s on a fresh platform', async (service, job) => {
  expect(await runOnce(service, job, true)).toMatchObject(success(service))
})

test('the command line makes a dry run', async () => {
  const [[service, job] = ['', '']] = dryRuns
  expect(await runByCommand(service, job, '--dry-run')).toMatchObject(success(service))
})

test('a service migrates its schema as its migrator role, and its app role may not', async () => {
  const { migratorUrl, url } = stack.databaseOf('mining')
  const migrated = await run('mining', ['--migrate'], { SVC_POSTGRES_URL: migratorUrl })
  expect(migrated).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(migrated.stdout)).toMatchObject({ schema: 'mining', applied: [] })
  expect(await run('mining', ['--migrate'], { SVC_POSTGRES_URL: url })).toMatchObject({ code: 1 })
})
