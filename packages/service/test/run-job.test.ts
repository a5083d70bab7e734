import { setTimeout as delay } from 'node:timers/promises'
import { contract, event, job, setting, switchWord, type Environment } from '@svc/contract'
import { emit, openPool, sql } from '@svc/postgres'
import { defineService, openLog, Outage, type Kit } from '@svc/service'
import {
  disposableDatabase,
  disposableNats,
  eventually,
  type DisposableDatabase,
  type DisposableNats,
} from '@svc/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const counter = contract('ticker', {
  title: 'Counts',
  operations: {},
  events: { counted: event({ summary: 'Something was counted', payload: z.object({ n: z.int() }) }) },
  settings: {
    countDryRun: setting({ env: 'HUB_COUNT_DRY_RUN', schema: switchWord, default: '0', doc: 'Counts nothing.' }),
  },
  jobs: {
    count: job({ summary: 'Count', everyMs: 3_600_000, max: 1, budgetSec: 30, dryRun: 'countDryRun' }),
    rest: job({ summary: 'Rest', everyMs: 3_600_000, max: 1, budgetSec: 1 }),
  },
})

let nats: DisposableNats
let database: DisposableDatabase
beforeAll(async () => {
  ;[nats, database] = await Promise.all([disposableNats([counter]), disposableDatabase('ticker')])
})
afterAll(() => Promise.all([nats.stop(), database.drop()]))

const environment = (more: Environment = {}): Environment => ({
  SVC_NATS_URL: nats.url,
  SVC_NATS_SEED: nats.seedOf('ticker') ?? '',
  SVC_POSTGRES_URL: database.url,
  SVC_LOG_LEVEL: 'silent',
  ...more,
})

/** Lines that runs logged: level and what they say. */
let lines: [string, unknown, string][] = []
afterEach(() => {
  lines = []
})
const log = Object.assign(
  openLog('ticker', 'silent'),
  Object.fromEntries(
    ['info', 'warn', 'error'].map((level) => [level, (line: object, text: string) => lines.push([level, line, text])]),
  ),
)

let counted = 0
let closed = 0
let count = async (kit: Kit<typeof counter>) => {
  if (kit.settings.countDryRun) return { done: 0, dry_run: true }
  counted += 1
  await kit.pool.transaction((tx) => emit(tx, counter.events.counted, { n: counted }))
  return { done: 1, dry_run: false, nextAt: new Date(0) }
}
const usual = count
const service = defineService({
  contract: counter,
  compose: (kit) => ({
    handlers: {},
    jobs: {
      count: () => count(kit),
      rest: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
    open: () => Promise.reject(new Error('a single run accepts no work from outside')),
    close: async () => void (closed += 1),
  }),
})
afterEach(() => {
  count = usual
})

const waiting = async () => {
  const pool = await openPool(database.url, { size: 1 })
  const rows = await pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM outbox`)
  await pool.end()
  return rows
}

test('a run that takes longer than a run waits to lead is carried out to its end', async () => {
  count = async () => {
    await delay(5_500)
    return { done: 7, dry_run: false, nextAt: new Date(0) }
  }
  expect(await service.runJob('count', environment(), { log })).toBe(0)
  expect(lines).toEqual([['info', { job: 'count', done: 7, dry_run: false }, 'done']])
  closed = 0
})

test('a run executes the job once, publishes its events, closes its resources and logs its report in one line', async () => {
  expect(await service.runJob('count', environment(), { log })).toBe(0)
  expect([counted, closed, await waiting()]).toEqual([1, 1, 0])
  expect(lines).toEqual([['info', { job: 'count', done: 1, dry_run: false }, 'done']])
  expect(await service.runJob('count', environment(), { log })).toBe(0)
  expect([counted, closed, await waiting()]).toEqual([2, 2, 0])
})

test('--dry-run turns on the declared dry run of a job and is rejected for a job without one', async () => {
  const before = counted
  expect(await service.runJob('count', environment(), { log, dryRun: true })).toBe(0)
  expect(lines).toEqual([['info', { job: 'count', done: 0, dry_run: true }, 'done']])
  expect(counted).toBe(before)
  const refused = service.runJob('rest', environment(), { log, dryRun: true })
  await expect(refused).rejects.toThrow('The job rest has no dry run: omit --dry-run.')
})

test('an unknown job name is rejected with the names of the jobs', async () => {
  const refused = service.runJob('toString', environment(), { log })
  await expect(refused).rejects.toThrow('ticker has no job toString: use --job NAME --once with one of count, rest.')
})

test('a run is skipped with exit code 0 while another process leads, and works once that process has ended', async () => {
  const leader = defineService({ contract: counter, compose: () => ({ handlers: {} }) })
  const running = await leader.start(environment())
  const before = counted
  await eventually(async () => {
    lines = []
    expect(await service.runJob('count', environment(), { log })).toBe(0)
    expect(lines).toEqual([
      ['info', { job: 'count', skipped: 'another process leads ticker and runs its jobs' }, 'done'],
    ])
  })
  await running.stop()
  expect(counted - before).toBeLessThanOrEqual(1)
  const skipped = counted
  expect(await service.runJob('count', environment(), { log })).toBe(0)
  expect(counted).toBe(skipped + 1)
})

test('a failed run exits with 1, a run with a missing table with 2, and a run that hits a Postgres timeout with 0', async () => {
  const failures: [() => Promise<unknown>, number][] = [
    [() => Promise.reject(new Error('a bug')), 1],
    [() => Promise.reject(new Outage('rpc', 'away')), 1],
    [() => Promise.reject(Object.assign(new Error('a person has to act'), { exitCode: 2 })), 2],
  ]
  for (const [fail, code] of failures) {
    count = fail as typeof count
    expect(await service.runJob('count', environment(), { log })).toBe(code)
  }
  count = async ({ pool }) => {
    await pool.query(sql.unsafe`SELECT 1 FROM not_there`)
    return { done: 0, dry_run: false }
  }
  expect(await service.runJob('count', environment(), { log })).toBe(2)
  count = ({ pool }) =>
    pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`SET LOCAL statement_timeout = 50`)
      await tx.query(sql.unsafe`SELECT pg_sleep(5)`)
      return { done: 0, dry_run: false }
    })
  expect(await service.runJob('count', environment(), { log })).toBe(0)
  expect(lines.map(([, , text]) => text)).toEqual([
    'job failed',
    'job failed',
    'job cannot run',
    'job cannot run',
    'job skipped',
  ])
})

test('a run that exceeds its budget is stopped and exits with 1', async () => {
  expect(await service.runJob('rest', environment(), { log })).toBe(1)
})

test('a run without Postgres or NATS exits with 1 after a short wait', async () => {
  expect(await service.runJob('count', environment({ SVC_NATS_URL: 'nats://127.0.0.1:1' }), { log })).toBe(1)
  const url = database.url.replace(/:\d+\//, ':1/')
  expect(await service.runJob('count', environment({ SVC_POSTGRES_URL: url }), { log })).toBe(1)
})

test('a command other than a job uses the connections of the service without its lead, and a timeout fails it', async () => {
  const what = { repair: 'all' }
  const work = async ({ pool }: Kit<typeof counter>) => ({
    done: await pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT 7 AS n`),
  })
  expect(await service.runTask(what, environment(), work, { log })).toBe(0)
  expect(lines).toEqual([['info', { repair: 'all', done: 7 }, 'done']])
  const late = async ({ pool }: Kit<typeof counter>) => {
    await pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`SET LOCAL statement_timeout = 50`)
      await tx.query(sql.unsafe`SELECT pg_sleep(5)`)
    })
    return {}
  }
  expect(await service.runTask(what, environment(), late, { log })).toBe(1)
})
