import { contract, ok, operation, refusal, setting, switchWord, type Contract } from '@svc/contract'
import { common } from '@svc/contracts'
import {
  buildEdge,
  createDirectory,
  createLimiter,
  redisCounters,
  refusalRegistry,
  routesOf,
  switchesOf,
} from '@svc/edge'
import { openLog, startService } from '@svc/service'
import { testStack, type TestStack } from '@svc/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const words = {
  title: 'Switched off',
  meaning: 'This deployment has the feature switched off.',
  fix: 'Ask its operator.',
}
const featureDisabled = refusal('hub_feature_disabled', { ...words, status: 404 })
const flagOff = refusal('flag_off', { ...words, status: 503 })
const leg = setting({ env: 'HUB_TEST_LEG', schema: switchWord, default: '0', live: true, doc: 'A switch.' })
const declared = { leg }
const plain = { auth: 'owner', input: z.strictObject({}), success: { 200: z.object({ status: z.string() }) } } as const

const desk = contract('desk', {
  title: 'Routes with switches',
  postgres: false,
  operations: {
    readLeg: operation({
      ...plain,
      summary: 'Read the leg',
      http: 'GET /leg',
      refusals: [featureDisabled],
      flag: { setting: leg, whenOff: featureDisabled },
    }),
    publish: operation({
      ...plain,
      summary: 'Publish',
      http: 'POST /signals',
      refusals: [flagOff],
      flag: { setting: leg, whenOff: flagOff },
    }),
    drip: operation({
      ...plain,
      summary: 'Drip',
      http: 'POST /drip',
      flag: { setting: leg, whenOff: { status: 200, body: { status: 'disabled' } } },
    }),
    readDoor: operation({
      ...plain,
      auth: 'open',
      summary: 'Read the door',
      http: 'GET /door',
      flag: { setting: leg, whenOff: common.notFound },
    }),
  },
})
const gateway = contract('gateway', { title: 'Edge', operations: {}, postgres: false })
const contracts = [desk, gateway] as unknown as readonly Contract[]

let stack: TestStack
let url: string
let switches = { leg: false }
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  stack = await testStack(contracts)
  const answer = async () => ok(200, { status: 'on' })
  const service = await startService(desk, contracts, stack.environmentOf('desk'), () => ({
    handlers: Object.fromEntries(Object.keys(desk.operations).map((key) => [key, answer])),
  }))
  const bus = await stack.nats.connect('gateway')
  const redis = new Redis(stack.redisUrl)
  const routes = routesOf(contracts)
  const values = {
    get leg() {
      return switches.leg
    },
  }
  const app = buildEdge({
    routes,
    documents: [],
    bus,
    directory: createDirectory({
      resolveAccounts: async (credentials) => credentials.map(() => null),
      resolveTiers: async () => [],
    }),
    limiter: createLimiter({
      counters: redisCounters(redis),
      usage: { add: async () => {}, used: async () => 0 },
    }),
    log: openLog('gateway', 'silent'),
    dailyLimits: [1_000, 1_000, 1_000],
    minuteLimits: { account: 1_000, hub_read: 1_000, hub_write: 1_000, hub_exit: 1_000 },
    openLimits: { perMinute: 1_000, perDay: 1_000 },
    trustedProxies: [],
    webOrigins: [],
    webOrigin: 'https://pages.example',
    isOn: switchesOf(routes, declared, values),
    refusals: refusalRegistry(contracts),
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  closing.push(
    () => app.close(),
    () => bus.close(),
    async () => redis.disconnect(),
    () => service.stop(),
    () => stack.stop(),
  )
})
afterAll(async () => {
  for (const close of closing) await close()
})

const ask = async (method: string, path: string) => {
  const answer = await fetch(`${url}${path}`, { method })
  const body = (await answer.json()) as { code?: string; status?: unknown }
  return [answer.status, body.code ?? body.status]
}

test('while the switch of a route is off, the route gives its declared answer before it checks the caller', async () => {
  switches = { leg: false }
  expect(await ask('GET', '/leg')).toEqual([404, 'hub_feature_disabled'])
  expect(await ask('POST', '/signals')).toEqual([503, 'flag_off'])
  expect(await ask('POST', '/drip')).toEqual([200, 'disabled'])
  expect(await ask('GET', '/door')).toEqual([404, 'not_found'])
})

test('after the switch of a route is turned on, the next request is served normally', async () => {
  switches = { leg: true }
  expect(await ask('GET', '/leg')).toEqual([401, 'unauthenticated'])
  expect(await ask('POST', '/drip')).toEqual([401, 'unauthenticated'])
  expect(await ask('GET', '/door')).toEqual([200, 'on'])
})

test('a switch that the gateway does not declare fails its start, and an undeclared switch answer fails the declaration', () => {
  expect(() => switchesOf(routesOf(contracts), {}, {})).toThrow('HUB_TEST_LEG, which the gateway does not declare')
  expect(() =>
    operation({ ...plain, summary: 'Read', http: 'GET /read', flag: { setting: leg, whenOff: featureDisabled } }),
  ).toThrow('the answer of its switch is not declared')
})
