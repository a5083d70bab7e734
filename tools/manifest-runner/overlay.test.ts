import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@svc/servers'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_LIMITS } from '#dev/no-limits.ts'
import { ask } from '#flow/client.ts'
import { registerAgent, signed, signIn } from '#flow/people.ts'
import { settle } from './accounts.ts'
import { loadDuring, READS } from './load.ts'
import type { Objects } from './objects.ts'
import { checkOut, lastRelease, withTag } from './release.ts'
import { rollUnderLoad, servicesOf } from './roll.ts'
import { secretTexts } from './secret-texts.ts'
import { startLocally, type LocalPlatform } from './start-locally.ts'

/** With `TEST_IMAGES=1` containers are images, which `tools/dev/build-images.ts` has built in the Docker engine of this machine. */
const ENGINE = process.env['TEST_IMAGES'] === '1' ? 'docker' : 'processes'
/** In the long run the whole overlay runs with five of each service; otherwise three services with two of each. */
const LONG = process.env['TEST_LONG'] === '1' && ENGINE === 'processes'
const REPLICAS = LONG ? 5 : 2
const SOME = ['redis', 'gateway', 'identity', 'subscriptions']
const START_MS = LONG ? 7_200_000 : 2_400_000

const only = <T>(group: Readonly<Record<string, T>>, wanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(group).filter(([name]) => wanted(name)))

/** Keeps what this run starts, with the same number of each service; in the long run, of the last release. */
function adapt(rendered: Objects): Objects {
  const objects = LONG ? withTag(rendered, 'before') : rendered
  const deployments = only(objects.deployments, (name) => LONG || SOME.includes(name))
  const jobs = ['roles', 'provision', ...SOME.map((name) => `migrate-${name}`)]
  return {
    ...objects,
    deployments: Object.fromEntries(
      Object.entries(deployments).map(([name, one]) => [name, name === 'redis' ? one : { ...one, replicas: REPLICAS }]),
    ),
    jobs: only(objects.jobs, (name) => LONG || jobs.includes(name)),
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'svc-overlay-'))
const before = join(dataDir, 'before')
const notes: string[] = []
let platform: LocalPlatform
/** What services send to the collector of traces. */
let spans = ''
const collector: Server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => (spans += chunk.toString()))
  request.on('end', () => response.end('{}'))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  const traced = { SVC_OTLP_URL: `http://127.0.0.1:${port}`, SVC_TRACE_RATIO: '1', SVC_LOG_LEVEL: 'debug' }
  if (LONG) await checkOut(await lastRelease(), before)
  platform = await startLocally({
    overlay: 'tests/e2e-tls',
    engine: ENGINE,
    code: { before },
    dataDir,
    port: await freePort(),
    note: (line) => notes.push(line),
    settings: { ...NO_LIMITS, ...traced },
    surrounded: LONG,
    adapt,
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${notes.join('\n')}`)
  })
}, START_MS)
afterAll(async () => {
  await platform?.stop()
  collector.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const nothingLost = () => ({
  failures: [],
  unpublished: 0,
  dead: 0,
  lostRegistrations: 0,
  wrongAgents: [],
  leaders: Object.fromEntries(
    servicesOf(platform)
      .filter((name) => name !== 'hl-relay')
      .map((name) => [name, 1]),
  ),
})

test('every instance of the edge gives the same answers', async () => {
  const gateways = platform.cluster.deployments.get('gateway')?.pods() ?? []
  expect(gateways).toHaveLength(REPLICAS)
  for (const path of servicesOf(platform).flatMap((name) => READS[name] ?? [])) {
    const answers = await Promise.all(gateways.map(({ address }) => ask(`http://${address}:8080`, path)))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size, path).toBe(1)
    expect(answers[0]?.status, path).toBe(200)
  }
})

test('while every instance of a service is replaced, by another release in the long run, no request fails, no event is lost and one process leads', async () => {
  const result = LONG
    ? await rollUnderLoad(platform, servicesOf(platform), withTag(platform.objects, 'after'))
    : await rollUnderLoad(platform, ['gateway'])
  expect(result).toMatchObject(nothingLost())
  expect(result.agents).toBeGreaterThan(2)
  expect(result.restarts).toEqual({})
  expect(platform.cluster.overLimit()).toEqual([])
})

// Kills of single processes under load are in tools/flow/faults.test.ts too.
test.runIf(LONG)('an instance that is killed is started again, and nothing that was accepted is lost', async () => {
  const pods = platform.cluster.deployments.get('subscriptions')?.pods() ?? []
  const load = await loadDuring(platform.url, platform.house.admin, servicesOf(platform), async () => {
    pods[0]?.kill()
    await eventually(() => pods[0]?.restarts() === 1)
    await platform.cluster.deployments.get('subscriptions')?.settled()
  })
  // What the killed process had begun may fail; what was answered counts.
  const { failures: _, ...rest } = nothingLost()
  expect(await settle(platform, load, servicesOf(platform))).toMatchObject(rest)
  expect(pods[0]?.restarts()).toBe(1)
})

test('no log, metric or span holds a secret of the installation or a credential of its users', async () => {
  const { url, house, secrets, cluster } = platform
  const agent = await registerAgent(url, 'canary')
  const { token, refreshToken } = await signIn(url, house.admin)
  const proof = await signed(url, agent.wallet, 'session')
  const unknown = 'canary-of-an-unknown-credential'
  for (const credential of [{ key: agent.key }, { key: unknown }, { token }, { token: unknown }])
    await ask(url, '/subscriptions/cherries/balance', credential)
  const misplaced = { ...proof, password: `${unknown}-in-a-body` }
  expect((await ask(url, '/auth/wallet/session', { body: misplaced })).status).toBe(400)
  const foreign = await house.admin.signMessage({ message: proof.message })
  expect((await ask(url, '/auth/wallet/session', { body: { ...proof, signature: foreign } })).status).toBe(401)
  await eventually(() => spans.includes('/auth/wallet/session'))

  const texts = [...secretTexts(secrets), agent.key, token, refreshToken, proof.signature, foreign, unknown]
  expect(texts.length).toBeGreaterThan(50)
  const pods = [...cluster.deployments.values()].flatMap((one) => one.pods())
  const told: [where: string, text: string][] = [
    ['spans', spans],
    ...readdirSync(join(dataDir, 'logs')).map((name): [string, string] => [
      name,
      readFileSync(join(dataDir, 'logs', name), 'utf8'),
    ]),
  ]
  for (const { name, address, spec } of pods)
    if (spec.containers[0]?.image.startsWith('platform/') === true)
      told.push([`metrics of ${name}`, await (await fetch(`http://${address}:9464/metrics`)).text()])
  expect(told.find(([where]) => where.startsWith('identity-'))?.[1]).toContain('"service":"identity"')
  const leaks = told.flatMap(([where, text]) =>
    texts.filter((one) => text.includes(one)).map((one) => `${where}: ${one.slice(0, 6)}…`),
  )
  expect(leaks).toEqual([])
})
