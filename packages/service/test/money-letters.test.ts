import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { emit, migrate, openPool, sql, type Pool } from '@svc/postgres'
import { metricsText, startService, type RunningService } from '@svc/service'
import { eventually, FakeClock, opened, testProcesses, testStack } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { deadLetters } from '../src/dead-letters.ts'
import { contracts, payer, startBooker } from './booking.ts'

const MINUTE_MS = 60_000
const TRIES_MAX = 5
const FIRST = 1
const NOTED = 2
const LATER = 3

/** Behind the real time, so that what is due by this clock is due for a process with the real one. */
const clock = new FakeClock(new Date(Date.now() - 2 * 86_400_000))
let paying: RunningService
let payerDb: Pool
let bookerDb: Pool

const stack = opened(() => testStack(contracts))
const processes = testProcesses(new URL('./booking-process.ts', import.meta.url), () => stack.environmentOf('booker'))
beforeAll(async () => {
  const directory = fileURLToPath(new URL('./migrations/beta', import.meta.url))
  await migrate({ url: stack.databaseOf('booker').migratorUrl, schema: 'booker', directory })
  paying = await startService(payer, contracts, stack.environmentOf('payer'), () => ({ handlers: {} }))
  payerDb = await openPool(stack.databaseOf('payer').url)
  bookerDb = await openPool(stack.databaseOf('booker').url)
})
afterAll(async () => {
  await Promise.all([paying?.stop(), payerDb?.end(), bookerDb?.end()])
})

const pay = (id: number) => payerDb.transaction((tx) => emit(tx, payer.events.payoutMade, { id }))
const letterRow = z.object({ tries: z.number(), state: z.string(), retry_at: z.string().nullable() })
const letterOf = (id: number) =>
  bookerDb.maybeOne(sql.type(letterRow)`
    SELECT tries, state, retry_at FROM dead_letter WHERE (envelope -> 'payload' ->> 'id')::int = ${id}`)
const countRow = z.object({ n: z.number() })
const booked = (id: number) =>
  bookerDb.oneFirst(sql.type(countRow)`SELECT count(*) AS n FROM seen WHERE thing_id = ${id}`)
const list = () => deadLetters(stack.databaseOf('booker').url, ['list'])
/** The metrics, without the label that says which library counted. */
const metricLines = async () => (await metricsText()).replaceAll(/,otel_scope_name="[^"]*"/g, '')
const gauge = async (name: string, event: string, money: boolean) => {
  const series = `${name}{service="booker",consumer="booker--${event}",money="${money}"} `
  const line = (await metricLines()).split('\n').find((one) => one.startsWith(series))
  return line === undefined ? null : Number(line.slice(series.length))
}
/** Lets the clock pass the time of the next try; the job that looks runs by the same clock. */
const passTo = (time: string | null) =>
  clock.set(new Date(Math.max(Date.parse(time ?? ''), clock.now().getTime() + 3_000)))

test('a dead letter of money is tried again after 1, 5 and 30 minutes and then each hour, its gauge stays until it took effect, and it takes effect once although a process is killed inside a try', async () => {
  const service = await startBooker(
    stack.environmentOf('booker'),
    () => {
      const cause = Object.assign(new Error('violates the check of the ledger'), {
        code: '23514',
        constraint: 'balanced',
      })
      throw new Error('cannot book at postgres://booker:hunter2@db/booker', { cause })
    },
    clock,
  )
  await eventually(async () => expect(await gauge('hub_dead_letters', 'payoutMade', true)).toBe(0))
  await pay(FIRST)
  await payerDb.transaction((tx) => emit(tx, payer.events.payoutNoted, { id: NOTED }))
  for (const [times, minutes] of [1, 5, 30, 60, 60].entries()) {
    const tries = TRIES_MAX + times
    const letter = await eventually(async () => {
      const found = await letterOf(FIRST)
      expect(found).toMatchObject({ state: 'dead', tries })
      return found
    })
    expect(Date.parse(letter?.retry_at ?? '') - clock.now().getTime()).toBe(minutes * MINUTE_MS)
    await eventually(async () => expect(await gauge('hub_dead_letters', 'payoutMade', true)).toBe(1))
    if (times < 4) passTo(letter?.retry_at ?? null)
  }
  expect(await letterOf(NOTED)).toEqual({ state: 'dead', tries: TRIES_MAX, retry_at: null })
  expect(await gauge('hub_dead_letters', 'payoutNoted', false)).toBe(1)
  expect(await gauge('hub_dead_letter_oldest_age_seconds', 'payoutMade', true)).toBeGreaterThan(0)
  const text = await list()
  for (const told of [
    'cannot book at postgres://[secret]@db/booker',
    'caused by Error: violates the check of the ledger code=23514 constraint=balanced',
    'booking.ts',
    'next try',
  ])
    expect(text).toContain(told)
  expect(text).not.toContain('hunter2')
  await service.stop()
  expect(await gauge('hub_dead_letters', 'payoutMade', true)).toBeNull()

  const dying = await processes.start({ TEST_DIES: '1' })
  if (dying.signalCode === null) await once(dying, 'exit')
  expect(await booked(FIRST)).toBe(0)
  const mended = await processes.start()
  await eventually(async () => expect(await booked(FIRST)).toBe(1))
  await pay(LATER)
  await eventually(async () => expect(await booked(LATER)).toBe(1))
  expect(await letterOf(FIRST)).toBeNull()
  expect(await booked(FIRST)).toBe(1)
  expect(await letterOf(NOTED)).toMatchObject({ state: 'dead' })
  await processes.stop(mended)
  expect(await deadLetters(stack.databaseOf('booker').url, ['drop', '--all'])).toBe('1 dropped\n')
})

test('a service that consumes events exposes their alarms and redeliveries from 0 on', async () => {
  const service = await startBooker(stack.environmentOf('booker'), () => {})
  const text = await metricLines()
  for (const { subject } of Object.values(payer.events)) {
    for (const alarm of ['forged_message', 'dead_letter'])
      expect(text).toMatch(new RegExp(`hub_alarms_total\\{alarm="${alarm}",subject="${subject}"\\} \\d`))
    expect(text).toMatch(new RegExp(`hub_consumer_redelivered_total\\{subject="${subject}"\\} \\d`))
  }
  for (const { subject } of Object.values(payer.events))
    expect(text).toContain(`hub_alarms_total{alarm="stream_full",subject="${subject}"} 0`)
  await service.stop()
})
