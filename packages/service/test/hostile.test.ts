import { fileURLToPath } from 'node:url'
import type { Msg } from '@nats-io/nats-core'
import { contract, event, operation, type Contract } from '@svc/contract'
import { migrate, openPool, sql, type Pool } from '@svc/postgres'
import { callRaw, encodeFrame, type Bus, type RunningService } from '@svc/service'
import { eventually, opened, testStack } from '@svc/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { alpha, contracts, PATIENT, startAlpha, startBeta, watchAlarm } from './fixture.ts'

/** A service whose credential is in wrong hands: it has events, files and an operation that beta and the edge ask. */
const gamma = contract('gamma', {
  title: 'Hostile',
  operations: {
    greet: operation({
      summary: 'Greet',
      auth: 'service',
      callers: ['beta', 'gateway'],
      input: z.strictObject({}),
      success: { 200: z.object({}) },
    }),
  },
  events: { thingGone: event({ summary: 'A thing is gone', payload: z.object({ id: z.int() }) }) },
  buckets: ['gamma-files'],
})
/** In the same hands; it reads gamma's events. */
const delta = contract('delta', { title: 'Hostile too', operations: {}, consumes: ['gamma.thingGone'] })
const all = [...contracts, gamma, delta] as unknown as readonly Contract[]

let alphaService: RunningService
let edge: Bus
let betaBus: Bus
let gammaBus: Bus
let deltaBus: Bus
let betaDb: Pool
/** Reply subjects of the requests that gamma received. */
const shown: string[] = []

const stack = opened(() => testStack(all))
beforeAll(async () => {
  for (const name of ['alpha', 'beta'])
    await migrate({
      url: stack.databaseOf(name).migratorUrl,
      schema: name,
      directory: fileURLToPath(new URL(`./migrations/${name}`, import.meta.url)),
    })
  betaDb = await openPool(stack.databaseOf('beta').url)
  ;[edge, betaBus, gammaBus, deltaBus] = (await Promise.all(
    (['gateway', 'beta', 'gamma', 'delta'] as const).map((name) => stack.nats.connect(name)),
  )) as [Bus, Bus, Bus, Bus]
  gammaBus.respond('rpc.gamma.>', 'gamma', async (message: Msg) => {
    shown.push(message.reply ?? '')
    return encodeFrame({ s: 200 }, '{}')
  })
  await gammaBus.connection.flush()
  alphaService = await startAlpha(stack)
})
afterAll(async () => {
  await Promise.all([edge, betaBus, gammaBus, deltaBus].map((bus) => bus?.close()))
  await alphaService?.stop()
  await betaDb?.end()
})

const seen = (id: number) => betaDb.exists(sql.unsafe`SELECT FROM seen WHERE thing_id = ${id}`)
const eventOf = (id: number, name = 'alpha') =>
  JSON.stringify({ id: `${name}-${id}`, seq: id, at: new Date().toISOString(), payload: { id } })
const greet = async (bus: Bus, from: string): Promise<string> => {
  await callRaw(bus, from, gamma.operations.greet as never, '{}', { id: 'x', by: Date.now() + 5_000 })
  return shown.at(-1) ?? ''
}
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PLACES = 6
const numberOf = (text: string) => [...text].reduce((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0)
const textOf = (value: number) =>
  Array.from({ length: PLACES }, (_, place) => DIGITS[Math.floor(value / DIGITS.length ** place) % DIGITS.length])
    .reverse()
    .join('')

/** The identifiers that the client library counts up from one that was seen, in both directions. */
function neighboursOf(nuid: string): string[] {
  const [prefix, last] = [nuid.slice(0, -PLACES), numberOf(nuid.slice(-PLACES))]
  const steps = Array.from({ length: 301 }, (_, at) => at + 33)
  return [-1, -2, -3, -4, 1, 2, 3, 4].flatMap((times) => steps.map((step) => prefix + textOf(last + times * step)))
}

test('a service that receives a request cannot find the inbox for events and publish an event into it', async () => {
  const forged = 900_001
  gammaBus.connection.publish('$O.gamma-files.C.forged', eventOf(forged))
  const listener = await startBeta(stack)
  // A connection of the same process; its listener has its inbox by now.
  const asking = await stack.nats.connect('beta')
  const reply = await greet(asking, 'beta')
  await asking.close()
  const aimAt = async (deliver_subject: string): Promise<boolean> => {
    const name = deliver_subject.replaceAll('.', '-')
    const config = { name, deliver_subject, ack_policy: 'none', deliver_policy: 'all', mem_storage: true }
    const request = JSON.stringify({ stream_name: 'OBJ_gamma-files', config: { ...config, inactive_threshold: 2e9 } })
    const answer = await gammaBus.connection
      .request(`$JS.API.CONSUMER.CREATE.OBJ_gamma-files.${name}`, request, { timeout: 1_000 })
      .catch(() => null)
    return answer !== null
  }
  const candidates = neighboursOf(reply.split('.')[1] ?? '').map((nuid) => `_INBOX_beta.${nuid}.1`)
  for (let at = 0; at < candidates.length; at += 200) {
    const taken = await Promise.all(candidates.slice(at, at + 200).map(aimAt))
    if (!taken.includes(true) || (await seen(forged))) break
  }
  await listener.stop()
  expect(await seen(forged)).toBe(false)
})

/** Publishes an event of gamma that delta may pull, and has the consumer send it, or a status, to other subjects. */
async function pullTo(replies: readonly string[]): Promise<void> {
  for (const reply of replies) {
    await gammaBus.connection.request('evt.gamma.thingGone', eventOf((made += 1), 'gamma'), PATIENT)
    deltaBus.connection.publish('STREAMS.CONSUMER.MSG.NEXT.EVT_GAMMA.delta--thingGone', '{"batch":1}', { reply })
    deltaBus.connection.publish('STREAMS.CONSUMER.MSG.NEXT.EVT_GAMMA.delta--thingGone', '{"batch":1,"no_wait":true}', {
      reply,
    })
  }
  await deltaBus.connection.flush()
}
let made = 900_002

test('an event that a service pulls to the inbox of another service does not arrive there', async () => {
  const subscribed = vi.spyOn(Object.getPrototypeOf(betaBus.connection) as Bus['connection'], 'subscribe')
  const alarms = await watchAlarm('forged_message')
  const listener = await startBeta(stack, undefined, alarms.log)
  const inboxes = () =>
    subscribed.mock.calls.map(([subject]) => subject).filter((subject) => /beta\..*\.\d+$/.test(subject))
  await eventually(() => inboxes().length > 0)
  await pullTo(inboxes())
  subscribed.mockRestore()
  const { body } = await callRaw(edge, 'gateway', alpha.operations.makeThing, '{"name":"behind"}', {
    id: 'x',
    by: Date.now() + 5_000,
    caller: {
      account_id: 7,
      kind: 'agent',
      wallet: null,
      roles: [],
      scopes: ['write'],
      tier: 0,
      key_id: null,
      session_id: null,
    },
  })
  const { id } = z.object({ id: z.number() }).parse(JSON.parse(body.toString()))
  await eventually(() => seen(id))
  await listener.stop()
  expect(await alarms.raised()).toBe(0)
  expect(await seen(made)).toBe(false)
})

test('a service that receives a request cannot answer requests to other services', async () => {
  const mine = await greet(edge, 'gateway')
  const [prefix = ''] = mine.split('.rpc.gamma.')
  const waiting = callRaw(edge, 'gateway', alpha.operations.wait, '{"ms":700}', { id: 'x', by: Date.now() + 5_000 })
  // Numbers of seats and of their guests, as few requests were made before.
  const ids = Array.from({ length: 4 }, (_, seat) =>
    Array.from({ length: 40 }, (_, guest) => `${seat.toString(36)}_${guest.toString(36)}`),
  ).flat()
  const token = mine
    .slice(`${prefix}.rpc.gamma.gateway.greet.`.length)
    .split('.')
    .slice(0, -1)
    .map((part) => `${part}.`)
    .join('')
  for (const id of ids)
    gammaBus.connection.publish('STREAMS.STREAM.INFO.OBJ_gamma-files', '', {
      reply: `${prefix}.rpc.alpha.gateway.wait.${token}${id}`,
    })
  expect((await waiting).head).toEqual({ s: 200 })
})

const streamInfo = z.object({ config: z.looseObject({}), state: z.object({ messages: z.number() }) })
const infoOf = async (provisioner: Bus, stream: string) => {
  const { data } = await provisioner.connection.request(`$JS.API.STREAM.INFO.${stream}`, '', PATIENT)
  return streamInfo.parse(JSON.parse(String(Buffer.from(data))))
}

test('the subjects to which a service has JetStream answer mean nothing outside its account', async () => {
  const provisioner = await stack.nats.connect('provisioner')
  gammaBus.connection.publish('$O.gamma-files.C.kept', 'bytes')
  await gammaBus.connection.request('STREAMS.STREAM.INFO.OBJ_gamma-files', '', PATIENT)
  const streams = ['EVT_ALPHA', 'OBJ_gamma-files', 'OBJ_beta-files'] as const
  const state = async () => {
    const { data } = await provisioner.connection.request(
      '$JS.API.CONSUMER.INFO.EVT_ALPHA.beta--thingMade',
      '',
      PATIENT,
    )
    const { name } = z.object({ name: z.string() }).parse(JSON.parse(String(Buffer.from(data))))
    const infos = await Promise.all(streams.map((stream) => infoOf(provisioner, stream)))
    return { name, messages: infos.map(({ state: { messages } }) => messages) }
  }
  const before = await state()
  const targets = [
    ...[...streams, 'EVT_GAMMA'].flatMap((stream) => [`STREAM.DELETE.${stream}`, `STREAM.UPDATE.${stream}`]),
    ...['EVT_ALPHA', 'OBJ_beta-files', 'OBJ_gamma-files'].map((stream) => `STREAM.PURGE.${stream}`),
    'CONSUMER.DELETE.EVT_ALPHA.beta--thingMade',
    'CONSUMER.MSG.NEXT.EVT_ALPHA.beta--thingMade',
  ].flatMap((end) => [`$JS.API.${end}`, `STREAMS.${end}`])
  const replies = [...targets, 'evt.alpha.thingMade', '$O.beta-files.C.stored', '$O.gamma-files.C.stored']
  await pullTo(replies)
  // Its own bucket is gamma's to fill and to empty.
  for (const reply of replies.filter((one) => !/(\$O|STREAMS\.STREAM\.PURGE)\.(OBJ_)?gamma-files/.test(one)))
    gammaBus.connection.publish('STREAMS.STREAM.INFO.OBJ_gamma-files', '', { reply })
  await gammaBus.connection.request('STREAMS.STREAM.INFO.OBJ_gamma-files', '', PATIENT)
  await deltaBus.connection.request('STREAMS.CONSUMER.INFO.EVT_GAMMA.delta--thingGone', '', PATIENT)
  expect(await state()).toEqual(before)
  await provisioner.close()
})

test('a full stream rejects events without loss: they wait in the outbox until it has room', async () => {
  const provisioner = await stack.nats.connect('provisioner')
  const { config } = await infoOf(provisioner, 'EVT_ALPHA')
  const resize = async (max_bytes: unknown) => {
    const wanted = JSON.stringify({ ...config, max_bytes })
    const { data } = await provisioner.connection.request('$JS.API.STREAM.UPDATE.EVT_ALPHA', wanted, PATIENT)
    expect(JSON.parse(String(Buffer.from(data)))).toMatchObject({ config: { max_bytes } })
  }
  await resize(8_192)
  const caller = { account_id: 7, kind: 'agent', wallet: null, roles: [], scopes: ['write'] } as const
  const ids: number[] = []
  for (let count = 0; count < 120; count += 1) {
    const { body } = await callRaw(edge, 'gateway', alpha.operations.makeThing, `{"name":"full ${count}"}`, {
      id: 'x',
      by: Date.now() + 5_000,
      caller: { ...caller, tier: 0, key_id: null, session_id: null },
    })
    ids.push(z.object({ id: z.number() }).parse(JSON.parse(body.toString())).id)
  }
  const listener = await startBeta(stack)
  await eventually(async () => {
    const rows = await betaDb.anyFirst(
      sql.type(
        z.object({ thing_id: z.number() }),
      )`SELECT thing_id FROM seen WHERE thing_id >= ${ids[0] ?? 0} AND thing_id < 900000 ORDER BY thing_id`,
    )
    expect(rows).toEqual(ids)
  })
  await resize(config['max_bytes'])
  await Promise.all([listener.stop(), provisioner.close()])
})
