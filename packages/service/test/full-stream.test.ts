import { openPool, sql, type Pool } from '@svc/postgres'
import { metricsText, openLog, startService, type Bus } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { watchStream } from '../src/relay.ts'
import { alpha, contracts, PATIENT, prepare, startBeta } from './fixture.ts'

let alphaDb: Pool
let provisioner: Bus
const stack = opened(() => prepare())
beforeAll(async () => {
  alphaDb = await openPool(stack.databaseOf('alpha').url)
  provisioner = await stack.nats.connect('provisioner')
})
afterAll(async () => {
  await Promise.all([alphaDb?.end(), provisioner?.close()])
})

const stream = z.object({
  config: z.looseObject({ max_bytes: z.number() }),
  state: z.object({ messages: z.number(), bytes: z.number() }),
})
async function askStream(what: 'INFO' | 'UPDATE', body = '') {
  const { data } = await provisioner.connection.request(`$JS.API.STREAM.${what}.EVT_ALPHA`, body, PATIENT)
  return stream.parse(JSON.parse(String(Buffer.from(data))))
}
const change = async (more: object) =>
  askStream('UPDATE', JSON.stringify({ ...(await askStream('INFO')).config, ...more }))

/** A log that notes its alarms. */
function alarmLog() {
  const alarms: { alarm: string; percent?: number }[] = []
  const error = (line: { alarm: string }) => void alarms.push(line)
  return { alarms, log: Object.assign(openLog('alpha', 'silent'), { error }) }
}

const startRelay = (log: ReturnType<typeof openLog>) =>
  startService(
    { ...alpha, operations: {} } as unknown as typeof alpha,
    contracts,
    stack.environmentOf('alpha'),
    () => ({ handlers: {} }),
    { log },
  )

const tell = (id: number, padding = '') =>
  alphaDb.query(sql.unsafe`
    INSERT INTO outbox (subject, payload)
    VALUES (${alpha.events.thingMade.subject}, ${JSON.stringify({ id, padding })})`)

test('an event that the stream rejects is not overtaken by a later one of its batch', async () => {
  await change({ max_msg_size: 1_000 })
  const ids = Array.from({ length: 20 }, (_, at) => at + 1)
  for (const id of ids) await tell(id, id === 3 ? 'x'.repeat(2_000) : '')
  const seen: number[] = []
  const listener = await startBeta(stack, (id) => void seen.push(id))
  const { alarms, log } = alarmLog()
  const relay = await startRelay(log)
  await eventually(() => expect(alarms).toMatchObject([{ alarm: 'stream_full' }]))
  await change({ max_msg_size: -1 })
  await eventually(() => expect(seen).toHaveLength(ids.length))
  expect(seen).toEqual(ids)
  expect(alarms).toHaveLength(1)
  await Promise.all([relay.stop(), listener.stop()])
})

test('a stream raises one alarm at 80 % of its capacity, a second one only after it was relieved, and reports its fill level as a metric', async () => {
  const quiet = await startRelay(openLog('alpha', 'silent'))
  for (let id = 101; id <= 150; id += 1) await tell(id, 'x'.repeat(1_000))
  await eventually(async () => expect((await askStream('INFO')).state.messages).toBe(50))
  await quiet.stop()
  const { bytes } = (await askStream('INFO')).state
  const bus = await stack.nats.connect('alpha')
  const { alarms, log } = alarmLog()
  const watch = watchStream({ bus, service: 'alpha', log })
  const look = () => watch(new AbortController().signal)
  const room = async (fill: number) => void (await change({ max_bytes: Math.ceil(bytes / fill) }))
  const seen: number[] = []
  for (const fill of [0.79, 0.855, 0.9, 0.75, 0.9, 0.5, 0.955]) {
    await room(fill)
    await look()
    seen.push(alarms.length)
  }
  expect(seen).toEqual([0, 1, 1, 1, 1, 1, 2])
  expect(alarms.map(({ alarm, percent }) => [alarm, percent])).toEqual([
    ['stream_near_full', 85],
    ['stream_near_full', 95],
  ])
  expect(await metricsText()).toMatch(/hub_stream_fill_ratio\{[^}]*stream="EVT_ALPHA"[^}]*\} 0\.9[45]/)
  await bus.close()
})
