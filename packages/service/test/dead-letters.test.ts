import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { contract, event } from '@svc/contract'
import { emit, emitAll, openPool, sql, type Pool, type Tx } from '@svc/postgres'
import { Outage, type Bus, type RunningService } from '@svc/service'
import { eventually, inherited, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { deadLetters } from '../src/dead-letters.ts'
import { alpha, PATIENT, prepare, startAlpha, startBeta, watchAlarm } from './fixture.ts'

/** More than a consumer takes at once. */
const POISON = 60
/** Hundreds of attempts, each in a transaction of its own. */
const SLOW = { everyMs: 100 }
/** Attempts during an outage: more than those after which an event that fails otherwise is given up. */
const OUTAGES = 5

let service: RunningService
let provisioner: Bus
let alphaDb: Pool
let betaDb: Pool
let alarms: Awaited<ReturnType<typeof watchAlarm>>
/** What the reaction of beta does with a thing before it succeeds; changed by each test for its own things. */
const reactions = new Map<number, () => void>()

const stack = opened(() => prepare())
beforeAll(async () => {
  service = await startAlpha(stack)
  provisioner = await stack.nats.connect('provisioner')
  alphaDb = await openPool(stack.databaseOf('alpha').url)
  betaDb = await openPool(stack.databaseOf('beta').url)
  alarms = await watchAlarm('dead_letter')
})
opened(() => startBeta(stack, (id) => reactions.get(id)?.(), alarms.log))
afterAll(async () => {
  await Promise.all([provisioner?.close(), service?.stop(), alphaDb?.end(), betaDb?.end()])
})

let made = 700_000
/** Things that no test had before, so that a test can be repeated. */
const newThings = (count: number) => Array.from({ length: count }, () => (made += 1))
const tell = (ids: readonly number[]) =>
  alphaDb.transaction((tx) =>
    emitAll(
      tx,
      ids.map((id) => ({ event: alpha.events.thingMade, payload: { id } })),
    ),
  )
const row = z.object({ n: z.number() })
const seen = (ids: readonly number[]) =>
  betaDb.oneFirst(sql.type(row)`SELECT count(*) AS n FROM seen WHERE thing_id = ANY(${sql.array([...ids], 'int8')})`)
const command = (...words: string[]) => deadLetters(stack.databaseOf('beta').url, words)

test('many events that always fail do not block later events, each raises an alarm, and they can be listed, replayed and dropped; no number of attempts during an outage gives an event up', async () => {
  await command('drop', '--all')
  const before = await alarms.raised()
  const poison = newThings(POISON)
  const [waiting = 0, later = 0] = newThings(2)
  let isMended = false
  for (const id of poison)
    reactions.set(id, () => {
      if (!isMended) throw new Error('a bug')
    })
  let tries = 0
  reactions.set(waiting, () => {
    tries += 1
    if (tries <= OUTAGES) throw new Outage('postgres', 'away')
    if (tries === OUTAGES + 1) throw new Error('a bug')
  })
  await tell([waiting, ...poison])
  await tell([later])
  await eventually(async () => expect(await seen([later])).toBe(1), SLOW)

  const lines = await eventually(async () => {
    const listed = (await command('list')).split('\n').filter((line) => /^\S/.test(line))
    expect(listed).toHaveLength(poison.length)
    return listed
  }, SLOW)
  const [first = '', second = ''] = lines.map((line) => line.split(' ')[0] ?? '')

  expect(await command('replay', first)).toBe('1 will be tried again\n')
  await eventually(
    async () => expect(await command('list')).toContain(`${first}  evt.alpha.thingMade  dead  6 tries`),
    SLOW,
  )
  isMended = true
  expect(await command('drop', second)).toBe('1 dropped\n')
  expect(await command('replay', '--all')).toBe(`${poison.length - 1} will be tried again\n`)
  await eventually(async () => expect(await command('list')).toBe(''), SLOW)
  expect(await seen(poison)).toBe(poison.length - 1)

  await eventually(async () => expect(await seen([waiting])).toBe(1), SLOW)
  expect(tries).toBe(OUTAGES + 2)
  // Each poison event, and the one that was replayed too early once more. A late acknowledgement may add one.
  expect((await alarms.raised()) - before).toBeGreaterThanOrEqual(poison.length + 1)
  expect(await betaDb.any(sql.unsafe`SELECT FROM dead_letter`)).toHaveLength(0)
  const { data } = await provisioner.connection.request('$JS.API.CONSUMER.INFO.EVT_ALPHA.beta--thingMade', '', PATIENT)
  expect(JSON.parse(String(Buffer.from(data)))).toMatchObject({ num_ack_pending: 0 })
})

test('the command line lists, replays and drops the dead letters of the service at SVC_POSTGRES_URL, and prints its usage for an unknown word', async () => {
  const file = fileURLToPath(new URL('../src/dead-letters.ts', import.meta.url))
  const env = { ...inherited(), SVC_POSTGRES_URL: stack.databaseOf('beta').url } as NodeJS.ProcessEnv
  const run = (...words: string[]) => promisify(execFile)(process.execPath, [file, ...words], { env })
  expect(await run('list')).toEqual({ stdout: '', stderr: '' })
  for (const word of ['replay', 'drop']) expect(await run(word, '--all')).toMatchObject({ stderr: '' })
  await expect(run('forget')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('drop <id…> | --all') })
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
