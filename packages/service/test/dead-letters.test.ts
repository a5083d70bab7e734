import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { contract, event } from '@svc/contract'
import { emit, emitAll, openPool, sql, type Pool, type Tx } from '@svc/postgres'
import { Outage, type Bus, type RunningService } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { alpha, prepare, startAlpha, startBeta } from './fixture.ts'

let service: RunningService
let provisioner: Bus
let alphaDb: Pool
let betaDb: Pool

const stack = opened(() => prepare())
beforeAll(async () => {
  service = await startAlpha(stack)
  provisioner = await stack.nats.connect('provisioner')
  alphaDb = await openPool(stack.databaseOf('alpha').url)
  betaDb = await openPool(stack.databaseOf('beta').url)
})
afterAll(async () => {
  await Promise.all([provisioner?.close(), service?.stop(), alphaDb?.end(), betaDb?.end()])
})

const tell = (ids: readonly number[]) =>
  alphaDb.transaction((tx) =>
    emitAll(
      tx,
      ids.map((id) => ({ event: alpha.events.thingMade, payload: { id } })),
    ),
  )
const seen = (id: number) => betaDb.exists(sql.unsafe`SELECT FROM seen WHERE thing_id = ${id}`)
const row = z.object({ n: z.number() })
const dead = () => betaDb.oneFirst(sql.type(row)`SELECT count(*) AS n FROM dead_letter WHERE state = 'dead'`)
const command = async (...words: string[]) => {
  const file = fileURLToPath(new URL('../src/dead-letters.ts', import.meta.url))
  const env = { ...process.env, SVC_POSTGRES_URL: stack.databaseOf('beta').url }
  return (await promisify(execFile)(process.execPath, [file, ...words], { env })).stdout
}

test('many events that always fail do not block later events, and can be listed, replayed and dropped', async () => {
  const poison = Array.from({ length: 210 }, (_, at) => 700_000 + at)
  let isMended = false
  const listener = await startBeta(stack, (id) => {
    if (id >= 700_000 && id < 701_000 && !isMended) throw new Error('a bug')
  })
  await tell(poison)
  await tell([701_000])
  await eventually(() => seen(701_000), { timeoutMs: 60_000 })

  await eventually(async () => expect(await dead()).toBe(poison.length), { timeoutMs: 60_000 })
  const { data } = await provisioner.connection.request('$JS.API.CONSUMER.INFO.EVT_ALPHA.beta--thingMade', '')
  expect(JSON.parse(String(Buffer.from(data)))).toMatchObject({ num_ack_pending: 0 })
  const lines = (await command('list')).trim().split('\n')
  expect(lines).toHaveLength(poison.length)
  const [first = '', second = ''] = lines.map((line) => line.split(' ')[0] ?? '')

  expect(await command('replay', first)).toBe('1 will be tried again\n')
  await eventually(async () => (await command('list')).includes(`${first}  evt.alpha.thingMade  dead  6 tries`))
  isMended = true
  expect(await command('drop', second)).toBe('1 dropped\n')
  expect(await command('replay', '--all')).toBe(`${poison.length - 1} will be tried again\n`)
  await eventually(async () => expect(await command('list')).toBe(''))
  const effects = await betaDb.oneFirst(
    sql.type(row)`SELECT count(*) AS n FROM seen WHERE thing_id BETWEEN 700000 AND 700999`,
  )
  expect(effects).toBe(poison.length - 1)
  await listener.stop()
})

test('no number of attempts during an outage gives an event up', async () => {
  let tries = 0
  const listener = await startBeta(stack, (id) => {
    if (id !== 702_000) return
    tries += 1
    if (tries <= 5) throw new Outage('postgres', 'away')
    if (tries === 6) throw new Error('a bug')
  })
  await tell([702_000])
  await eventually(() => seen(702_000))
  expect(tries).toBe(7)
  expect(await betaDb.any(sql.unsafe`SELECT FROM dead_letter`)).toHaveLength(0)
  await listener.stop()
})

test('an event larger than a message is rejected when it is recorded, and the outbox goes on', async () => {
  const { bigTold } = contract('told', {
    title: 'Texts',
    operations: {},
    events: { bigTold: event({ summary: 'Much was told', payload: z.object({ text: z.string() }) }) },
  }).events
  const payload = { text: 'é'.repeat(600_000) }
  for (const record of [(tx: Tx) => emit(tx, bigTold, payload), (tx: Tx) => emitAll(tx, [{ event: bigTold, payload }])])
    await expect(alphaDb.transaction(record)).rejects.toThrow(`${bigTold.subject} has 1200011 bytes`)
  expect(await alphaDb.oneFirst(sql.type(row)`SELECT count(*) AS n FROM outbox`)).toBe(0)
})
