import { randomUUID } from 'node:crypto'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { openPool, sql, type Pool } from '@svc/postgres'
import { callRaw, metricsText, openLog, provision, type Bus, type RunningService } from '@svc/service'
import { eventually, FakeClock, opened } from '@svc/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, alpha, contracts, prepare, startAlpha, startBeta } from './fixture.ts'

const STREAM = 'EVT_ALPHA'
const CONSUMER = 'beta--thingMade'
const BUCKET = 'OBJ_beta-files'

interface Line {
  readonly name: string
  readonly alarm?: string
  readonly stream?: string
  readonly consumer?: string
  readonly msg: string
}

let provisioner: Bus
let gateway: Bus
let betaDb: Pool
let manager: JetStreamManager
let publisher: RunningService
let reader: RunningService
/** Alarms of both services since the test began, in the order in which they were raised. */
let alarms: Line[]
const clock = new FakeClock()
const stack = opened(() => prepare())
beforeAll(async () => {
  provisioner = await stack.nats.connect('provisioner')
  gateway = await stack.nats.connect('gateway')
  betaDb = await openPool(stack.databaseOf('beta').url)
  manager = await jetstreamManager(provisioner.connection, { checkAPI: false })
})
afterAll(() => Promise.all([provisioner?.close(), gateway?.close(), betaDb?.end()]))

const alarmLog = (name: string) =>
  openLog(name, 'error', {
    write: (text: string) => {
      const line = JSON.parse(text) as Line
      if (line.alarm !== undefined) alarms.push({ ...line, name })
    },
  })
const raised = (service: string) => alarms.filter(({ name }) => name === service)

const ready = async (service: RunningService): Promise<Record<string, unknown>> => {
  const { events = () => null, streams = () => null } = service.checks
  return { events: await events(), streams: await streams() }
}
const metrics = async (name: string) =>
  (await metricsText())
    .replaceAll(',otel_scope_name="svc"', '')
    .split('\n')
    // Services of other tests of this process leave their series, in the order in which they came.
    .filter((line) => line.startsWith(`${name}{`) && line.includes(`stream="${STREAM}",consumer="${CONSUMER}"`))
    .toSorted()
const missingTo = (service: string) =>
  `hub_consumer_missing{service="${service}",stream="${STREAM}",consumer="${CONSUMER}"}`
const PENDING = `hub_consumer_pending{stream="${STREAM}",consumer="${CONSUMER}"}`

/** Lets minutes pass for both services until a probe succeeds; what a minute sets going gets some looks to end before the next. */
const inTime = (probe: () => Promise<void>) => {
  let looks = 0
  return eventually(async () => {
    if (looks % 20 === 0) clock.advance(60_000)
    looks += 1
    await probe()
  })
}

const isWhole = () =>
  inTime(async () => {
    expect([await ready(publisher), await ready(reader)]).toEqual([
      { events: null, streams: true },
      { events: true, streams: true },
    ])
    const told = [...(await metrics('hub_consumer_missing')), ...(await metrics('hub_consumer_pending'))]
    expect(told).toEqual([`${missingTo('alpha')} 0`, `${missingTo('beta')} 0`, `${PENDING} 0`])
  })

beforeEach(async () => {
  alarms = []
  await provision(provisioner, contracts)
  reader = await startBeta(stack, () => {}, alarmLog('beta'), clock)
  publisher = await startAlpha(stack, clock, alarmLog('alpha'))
  await isWhole()
  expect(alarms).toEqual([])
})
afterEach(() => Promise.all([publisher.stop(), reader.stop()]))

async function makeThing(): Promise<void> {
  const before = await seen()
  const head = { id: randomUUID(), by: Date.now() + 10_000, caller: agent, key: randomUUID() }
  const { head: answer } = await callRaw(gateway, 'gateway', alpha.operations.makeThing, '{"name":"a"}', head)
  expect(answer.s).toBe(201)
  await eventually(async () => expect(await seen()).toBe(before + 1))
}
const counted = z.object({ count: z.number() })
const seen = () => betaDb.oneFirst(sql.type(counted)`SELECT count(*) AS count FROM seen`)

test('a deleted consumer makes its service not ready and is named by one alarm of its service and one of the publisher; its lag is not exposed, and all of it ends once the consumer is back', async () => {
  await manager.consumers.delete(STREAM, CONSUMER)
  await inTime(async () => {
    expect(await ready(reader)).toEqual({ events: false, streams: true })
    expect(await ready(publisher)).toEqual({ events: null, streams: true })
    expect(await metrics('hub_consumer_missing')).toEqual([`${missingTo('alpha')} 1`, `${missingTo('beta')} 1`])
    expect(await metrics('hub_consumer_pending')).toEqual([])
  })
  for (const service of ['alpha', 'beta'])
    expect(raised(service)).toMatchObject([{ alarm: 'consumer_missing', stream: STREAM, consumer: CONSUMER }])
  await provision(provisioner, contracts)
  await isWhole()
  await makeThing()
  expect(alarms).toHaveLength(2)
})

test.each([
  ['delivers less', 'max_ack_pending', () => manager.consumers.update(STREAM, CONSUMER, { max_ack_pending: 1 })],
  ['is paused', 'pause_until', () => manager.consumers.pause(STREAM, CONSUMER, new Date(Date.now() + 3_600_000))],
] as const)(
  'a consumer that %s makes its service not ready until it is as its contract says',
  async (_, differs, change) => {
    await change()
    await inTime(async () => expect(await ready(reader)).toEqual({ events: false, streams: true }))
    expect(alarms).toMatchObject([{ name: 'beta', alarm: 'consumer_missing', consumer: CONSUMER }])
    expect(alarms[0]?.msg).toContain(differs)
    await provision(provisioner, contracts)
    await isWhole()
    await makeThing()
  },
)

test.each([
  ['missing', () => manager.streams.delete(STREAM)],
  ['another one', () => manager.streams.update(STREAM, { max_age: 3_600_000_000_000 })],
] as const)(
  'a stream of events that is %s makes the service that publishes not ready, and an alarm names it',
  async (_, change) => {
    await change()
    await inTime(async () => expect(await ready(publisher)).toEqual({ events: null, streams: false }))
    expect(raised('alpha')).toMatchObject([{ alarm: 'stream_missing', stream: STREAM }])
    await provision(provisioner, contracts)
    await isWhole()
    await makeThing()
  },
)

test.each([
  ['missing', () => manager.streams.delete(BUCKET)],
  ['another one', () => manager.streams.update(BUCKET, { max_age: 3_600_000_000_000 })],
] as const)(
  'a bucket that is %s makes the service that fills it not ready, and an alarm names it',
  async (_, change) => {
    await change()
    await inTime(async () => expect(await ready(reader)).toEqual({ events: true, streams: false }))
    expect(alarms).toMatchObject([{ name: 'beta', alarm: 'stream_missing', stream: BUCKET }])
    await provision(provisioner, contracts)
    await isWhole()
  },
)
