import { createHash, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { schemaOf, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { freePort, redisAcl, redisUrl, withClient } from '@svc/servers'
import { openBus, openLog, permissionsOf, PROVISIONER } from '@svc/service'
import { eventually } from '@svc/testing'
import { Redis } from 'ioredis'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { natsUsersOf, redisUsersOf, rolePassword } from '../dev/access.ts'
import { NO_LIMITS } from '../dev/no-limits.ts'
import { preparePlatform, type Prepared } from '../dev/platform.ts'
import { startInProcess, type Running } from '../dev/services.ts'
import { prepareRoles, prepareStreams, type Storage } from '../dev/storage.ts'
import { QUIET_REPLAY } from '../dev/venues.ts'
import { ask } from './client.ts'
import { newDataFolder } from './data-folder.ts'
import { firstSteps, ONCE_EACH, WALKS_MAX } from './first-steps.ts'
import { signIn } from './people.ts'

/** What the first steps of an agent need beside identity; every kind of credential is among theirs. */
const SERVING = ['subscriptions', 'market-data', 'mining', 'gateway'] as const

let dataDir: string
let platform: Prepared
let gateways: string[]
/** What runs, oldest first. */
const running: Running[] = []
let [identity, serving]: Running[] = []
/** Settings that a rotation has changed, by service. */
const changed = new Map<string, Environment>()

/** Starts services with their settings of now beside those that run. */
async function begin(services: readonly string[], gatewayUrl: string): Promise<Running> {
  const settings = { ...NO_LIMITS, SVC_LOG_LEVEL: 'silent', SVC_MINING_EVIDENCE_TIMEOUT_MS: '500' }
  const port = { SVC_PORT: new URL(gatewayUrl).port }
  const more = (service: string) => ({ ...settings, ...port, ...changed.get(service) })
  const started = await startInProcess(platform, more, { services })
  running.push(started)
  return started
}

beforeAll(async () => {
  dataDir = newDataFolder('rotated')
  gateways = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`)
  const [publicUrl = ''] = gateways
  platform = await preparePlatform({ dataDir, publicUrl, durable: false, venues: QUIET_REPLAY })
  identity = await begin(['identity'], publicUrl)
  serving = await begin(SERVING, publicUrl)
})
afterAll(async () => {
  for (const one of running.toReversed()) await one.stop()
  await platform?.servers.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Starts the next of these services, and ends the former ones once the next serve. */
async function roll(services: readonly string[], former: Running | undefined, gatewayUrl: string): Promise<Running> {
  const next = await begin(services, gatewayUrl)
  await former?.stop()
  running.splice(0, running.length, ...running.filter((one) => one !== former))
  return next
}
const change = (service: string, more: Environment) => changed.set(service, { ...changed.get(service), ...more })

/** Most walks between two looks at them. */
const BUDGET = 8

/** People who take their first steps one after the other, all the time. */
function traffic() {
  const walks: Promise<() => Promise<readonly string[]>>[] = []
  let [on, failed, allowed] = [true, null as unknown, 0]
  const walkers = [0, 1].map(async () => {
    for (; on; await delay(300)) {
      if (walks.length >= Math.min(allowed, WALKS_MAX)) continue
      const one = firstSteps(gateways, platform.house, walks.length).then(({ kindsOf }) => kindsOf)
      walks.push(one)
      await one
    }
  })
  const ended = Promise.all(walkers).catch((error: unknown) => {
    failed = error
  })
  return {
    /** Waits until everybody has begun a walk from now on, and all earlier ones have ended. */
    goesOn: async () => {
      const begun = [...walks]
      const after = walks.length + walkers.length
      allowed = Math.max(allowed, walks.length) + BUDGET
      await eventually(() => failed !== null || walks.length > after)
      expect(failed).toBeNull()
      // One of them can wait for an answer while the others make several walks.
      await Promise.all(begun)
    },
    end: async () => {
      on = false
      await ended
      expect(failed).toBeNull()
      return Promise.all(walks)
    },
  }
}

/** Two keys for each NATS user: that of its name, and the next one. */
const keysOf = (names: (user: string) => readonly string[]) => {
  const { secrets } = platform.servers
  return natsUsersOf(secrets).flatMap((user) =>
    names(user.name).map((name) => ({ ...user, publicKey: secrets.nkey(name).publicKey })),
  )
}
const roles = (passwords: { former: boolean; other: (role: string) => string }): Promise<Storage['urls']> =>
  prepareRoles({
    superuserUrl: platform.servers.postgres.url,
    passwordOf: (role) =>
      passwords.former ? rolePassword(platform.servers.secrets, role) : randomBytes(32).toString('base64url'),
    otherPasswordOf: passwords.other,
    onStep: () => {},
  })
const logsIn = (url: string) => withClient(url, (client) => client.query('SELECT 1'))

test('each credential is replaced while people take their first steps: nobody is refused for good, nothing is paid twice or lost, and the former ones are worthless', async () => {
  const { servers } = platform
  const { secrets } = servers
  // The next gateway listens at another address than the one that it replaces.
  const [first = '', base = ''] = gateways
  const people = traffic()
  await people.goesOn()
  // Somebody who signs in once: the walks sign the house in so often that its older sessions end.
  const formerToken = (await signIn(first, privateKeyToAccount(generatePrivateKey()))).token
  const formerSecret = secrets.password('keeper-client')

  // All of them are accepted twice: NATS keys, roles of Postgres, passwords of Redis, and the next signing key.
  servers.nats.reload(keysOf((name) => [name, `${name}-next`]))
  const other = (role: string) =>
    createHash('sha256')
      .update(`${secrets.password('other')} ${role}`)
      .digest('base64url')
  const urls = await roles({ former: true, other })
  const redisUsers = redisUsersOf(secrets)
  const nextPassword = (name: string) => secrets.password(`redis-${name}-next`)
  const admin = new Redis(servers.redis.url)
  const accept = async (users: Parameters<typeof redisAcl>[1]) => {
    writeFileSync(join(dataDir, 'redis.acl'), redisAcl(secrets.password('redis'), users))
    await admin.call('ACL', 'LOAD')
  }
  await accept(redisUsers.map((user) => ({ ...user, nextPassword: nextPassword(user.name) })))
  const nextSeed = randomBytes(32).toString('base64url')
  const nextPublic = publicHalfOf(nextSeed)
  for (const service of ['identity', ...SERVING]) {
    change(service, { SVC_NATS_SEED: secrets.nkey(`${service}-next`).seed })
    const login = urls[schemaOf(service)]?.app
    if (login !== undefined) {
      const url = new URL(login)
      url.username = `${schemaOf(service)}_app_b`
      url.password = other(url.username)
      change(service, { SVC_POSTGRES_URL: url.href })
    }
    if (redisUsers.some(({ name }) => name === service))
      change(service, { SVC_REDIS_URL: redisUrl(servers.redis.port, service, nextPassword(service)) })
  }
  change('identity', { SVC_SESSION_PREVIOUS_KEYS: nextPublic })
  identity = await roll(['identity'], identity, base)
  serving = await roll(SERVING, serving, base)
  await people.goesOn()

  // The former ones are removed, while the next signing key and the next secret of the keeper begin.
  servers.nats.reload(keysOf((name) => [`${name}-next`]))
  await roles({ former: false, other })
  await accept(redisUsers.map((user) => ({ ...user, password: nextPassword(user.name) })))
  const { keys } = (await ask(base, '/.well-known/jwks.json')).body as { keys: { x: string }[] }
  const formerPublic = keys.find(({ x }) => x !== nextPublic)?.x ?? expect.fail('no former key')
  const keeperSecret = randomBytes(32).toString('base64url')
  change('identity', {
    SVC_SESSION_SIGNING_KEY: nextSeed,
    SVC_SESSION_PREVIOUS_KEYS: formerPublic,
    SVC_KEEPER_CLIENT_SECRET: keeperSecret,
    SVC_KEEPER_PREVIOUS_SECRET: formerSecret,
  })
  identity = await roll(['identity'], identity, base)
  await people.goesOn()
  const me = (token: string) => ask(base, '/hub/agents', { token })
  const keeperToken = (client_secret: string) => ask(base, '/auth/service/token', { body: { client_secret } })
  expect((await me(formerToken)).status).toBe(200)
  expect([await keeperToken(formerSecret), await keeperToken(keeperSecret)]).toMatchObject([
    { status: 200 },
    { status: 200 },
  ])

  // Whoever began before is through, so no token of the former key is on its way.
  await people.goesOn()
  change('identity', {
    SVC_SESSION_PREVIOUS_KEYS: '',
    SVC_SESSION_RETIRED_KEYS: formerPublic,
    SVC_KEEPER_PREVIOUS_SECRET: undefined,
  })
  identity = await roll(['identity'], identity, base)
  await people.goesOn()
  const walks = await people.end()
  for (const kindsOf of walks) await eventually(async () => expect(await kindsOf()).toEqual(ONCE_EACH))

  // Every service has its key, its role and its password anew; the former ones open nothing.
  const log = openLog('test', 'silent')
  for (const { name } of permissionsOf(contracts))
    await expect(
      openBus({ url: servers.nats.url, name, seed: secrets.nkey(name).seed, log, patienceMs: 100 }),
    ).rejects.toThrow()
  await prepareStreams(servers.nats.url, secrets.nkey(`${PROVISIONER}-next`).seed)
  for (const { app, migrator } of Object.values(urls))
    for (const url of [app, migrator]) await expect(logsIn(url)).rejects.toThrow(/authentication failed/)
  for (const { name, password } of redisUsers) {
    const late = new Redis(redisUrl(servers.redis.port, name, password), {
      maxRetriesPerRequest: 0,
      retryStrategy: null,
    })
    late.on('error', () => {})
    await expect(late.get(`${name}:x`)).rejects.toThrow()
    late.disconnect()
  }
  expect((await me(formerToken)).status).toBe(401)
  expect((await keeperToken(formerSecret)).status).toBe(401)
  expect((await keeperToken(keeperSecret)).status).toBe(200)
  admin.disconnect()

  // The superuser at last: only Jobs use it.
  const superuser = new URL(servers.postgres.url)
  const next = secrets.password('postgres-next')
  await withClient(superuser.href, (client) => client.query(`ALTER ROLE postgres PASSWORD ${pg.escapeLiteral(next)}`))
  await expect(logsIn(superuser.href)).rejects.toThrow(/authentication failed/)
  superuser.password = next
  await logsIn(superuser.href)
})

/** The public half of an Ed25519 seed, both in base64url. */
function publicHalfOf(seed: string): string {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'base64url')])
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  return key.export({ format: 'jwk' }).x ?? expect.fail('no public half')
}
