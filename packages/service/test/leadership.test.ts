import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { migrate, openPool, sql, type Pool } from '@svc/postgres'
import { eventually, opened, testProcesses, testStack } from '@svc/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { frozenProxy, type FrozenProxy } from './frozen-proxy.ts'
import { ticker } from './ticker.ts'

/** What a service promises after a fault, and after a stop. */
const TAKEOVER_SEC = 5
const HANDOVER_SEC = 2
/** Pause of the meter that measures how late this machine is. */
const METER_MS = 50

let pool: Pool
let proxy: FrozenProxy

const stack = opened(() => testStack([ticker]))
beforeAll(async () => {
  const { url, migratorUrl } = stack.databaseOf('ticker')
  const directory = fileURLToPath(new URL('./migrations/ticker', import.meta.url))
  await migrate({ url: migratorUrl, schema: 'ticker', directory })
  pool = await openPool(url, { size: 2 })
  proxy = await frozenProxy(url)
})
afterAll(async () => {
  await pool.end()
  await proxy.stop()
})
beforeEach(() => pool.query(sql.unsafe`DELETE FROM tick`))
afterEach(async () => {
  await processes.killAll()
  proxy.thaw()
})

const processes = testProcesses(new URL('./ticker-process.ts', import.meta.url), () => stack.environmentOf('ticker'))
/** Starts the service in a process of its own; resolves when it runs. */
const start = (holder: string, url = stack.databaseOf('ticker').url): Promise<ChildProcess> =>
  processes.start({ SVC_POSTGRES_URL: url, TEST_HOLDER: holder })

const ticksOf = (holder: string) =>
  pool.oneFirst(sql.type(z.object({ count: z.number() }))`SELECT count(*) AS count FROM tick WHERE holder = ${holder}`)
const ticks = (holder: string, more: number) =>
  eventually(async () => expect(await ticksOf(holder)).toBeGreaterThan(more))

/**
 * Measures by how many seconds a busy machine makes this process late, which does all the time what who seeks the lead does:
 * it pauses, and sends a statement. Nothing of it counts on a machine that does both at once. Returns the function that ends it.
 */
function meterLateness(): () => Promise<number> {
  let isOver = false
  const metered = (async () => {
    let lateMs = 0
    while (!isOver) {
      const began = performance.now()
      await delay(METER_MS)
      await pool.query(sql.unsafe`SELECT 1`)
      lateMs += Math.max(0, performance.now() - began - METER_MS)
    }
    return lateMs / 1_000
  })()
  return () => {
    isOver = true
    return metered
  }
}

/**
 * Seconds between the fault and the first tick of the new leader, by the clock of Postgres, without those by which the machine
 * is late.
 */
async function takeover(holder: string, fault: () => void): Promise<number> {
  const { at } = await pool.one(sql.type(z.object({ at: z.string() }))`SELECT clock_timestamp() AS at`)
  const lateness = meterLateness()
  fault()
  await ticks(holder, 0)
  const lateSec = await lateness()
  const seconds = await pool.oneFirst(sql.type(z.object({ seconds: z.coerce.number() }))`
    SELECT extract(epoch FROM min(at) - ${at}::timestamptz) AS seconds FROM tick WHERE holder = ${holder}`)
  return seconds - lateSec
}

/** Ticks of `holder` after the first one of `next`. */
const ticksAfter = (holder: string, next: string) =>
  pool.oneFirst(sql.type(z.object({ count: z.number() }))`
    SELECT count(*) AS count FROM tick WHERE holder = ${holder} AND id > (SELECT min(id) FROM tick WHERE holder = ${next})`)

const faults = [
  { title: 'killed', strike: (leader: ChildProcess) => leader.kill('SIGKILL'), wake: null },
  {
    title: 'frozen as a process',
    strike: (leader: ChildProcess) => leader.kill('SIGSTOP'),
    wake: (leader: ChildProcess) => leader.kill('SIGCONT'),
  },
  { title: 'cut off from Postgres', strike: () => proxy.freeze(), wake: () => proxy.thaw() },
] as const

for (const { title, strike, wake } of faults)
  test(`when a leader is ${title}, exactly one other process runs its jobs and relays its outbox within 5 s`, async () => {
    const leader = await start('first', proxy.through(stack.databaseOf('ticker').url))
    await ticks('first', 3)
    const next = await start('second')
    expect(await takeover('second', () => strike(leader))).toBeLessThan(TAKEOVER_SEC)
    const head = () => pool.oneFirst(sql.type(z.object({ seq: z.number() }))`SELECT seq FROM outbox_head`)
    const relayed = await head()
    await eventually(async () => expect(await head()).toBeGreaterThan(relayed + 3))
    if (wake === null) return

    wake(leader)
    await ticks('second', (await ticksOf('second')) + 40)
    expect(await ticksAfter('first', 'second')).toBe(0)
    // The former leader waits in line like any other process.
    await pool.query(sql.unsafe`DELETE FROM tick WHERE holder = 'first'`)
    expect(await takeover('first', () => next.kill('SIGKILL'))).toBeLessThan(TAKEOVER_SEC)
  })

test('a leader that stops releases the lead as soon as its last tick has ended', async () => {
  const leader = await start('first')
  await ticks('first', 3)
  await start('second')
  expect(await takeover('second', () => leader.disconnect())).toBeLessThan(HANDOVER_SEC)
  expect(await ticksAfter('first', 'second')).toBe(0)
})
