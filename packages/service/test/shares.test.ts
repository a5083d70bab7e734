import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { lead, openPool, share, sql, type Lease } from '@svc/postgres'
import { eventually, opened, testStack } from '@svc/testing'
import { afterAll, afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { frozenProxy } from './frozen-proxy.ts'
import { ticker } from './ticker.ts'

const NAMES = Array.from({ length: 7 }, (_, n) => `name${n}`)
const stack = opened(() => testStack([ticker]))
const proxy = opened(() => frozenProxy(stack.databaseOf('ticker').url))
const pool = opened(() => openPool(stack.databaseOf('ticker').superuserUrl))
afterAll(() => proxy.stop())

/** Who works on a name; working on one of another worker is noted. */
const working = new Map<string, string>()
const doubled: string[] = []
const leases = new Set<Lease>()
const heldBy = (who: string) => [...working].filter(([, one]) => one === who).map(([name]) => name)

function seek(who: string, url = stack.databaseOf('ticker').url): Lease {
  const lease = share(url, 'shares:test', NAMES, async (names, signal, guard) => {
    for (const name of names) {
      if (working.has(name)) doubled.push(`${name}: ${working.get(name)} and ${who}`)
      working.set(name, who)
    }
    // Whether the work may write is asked as often as a job sends statements.
    const ask = () => guard(() => pool.any(sql.unsafe`SELECT`))
    const may = () =>
      ask().then(
        () => true,
        () => false,
      )
    while (!signal.aborted && (await may())) await delay(20)
    for (const name of names) if (working.get(name) === who) working.delete(name)
  })
  leases.add(lease)
  return lease
}
const spread = () => ['a', 'b', 'c'].map((who) => heldBy(who).length)

afterEach(async () => {
  proxy.thaw()
  await Promise.all([...leases].map((lease) => lease.stop()))
  leases.clear()
  expect(working.size).toBe(0)
  expect(doubled).toEqual([])
})

it('processes hold equal parts of the names, none twice, while they join, end and are cut off', async () => {
  seek('a')
  await eventually(() => spread()[0] === 7)
  const second = seek('b', proxy.through(stack.databaseOf('ticker').url))
  await eventually(() => spread().join() === '4,3,0')
  seek('c')
  await eventually(() => working.size === 7 && Math.max(...spread()) === 3 && !spread().includes(0))
  proxy.freeze()
  await eventually(() => heldBy('a').length + heldBy('c').length === 7)
  await second.stop()
})

it('the names of a process whose session ends are held by another', async () => {
  seek('a')
  await eventually(() => spread()[0] === 7)
  seek('b')
  await eventually(() => spread().join() === '4,3,0')
  const [pid] = await pool.anyFirst(sql.type(z.object({ pid: z.number() }))`
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND objsubid = 2
    GROUP BY pid ORDER BY count(*) LIMIT 1`)
  await pool.query(sql.unsafe`SELECT pg_terminate_backend(${pid ?? 0})`)
  await eventually(() => working.size === 7 && spread().join() === '4,3,0')
})

it('heartbeats leave no promise behind, however long the work of a leader or on a share lasts', async () => {
  const { url } = stack.databaseOf('ticker')
  let begun = 0
  const last = async (signal: AbortSignal) => {
    begun += 1
    await once(signal, 'abort')
  }
  leases.add(lead(url, 'lead:test', last))
  leases.add(share(url, 'shares:last', ['name'], (_, signal) => last(signal)))
  await eventually(() => begun === 2)
  await delay(2_000)
  const before = queryObjects(Promise, { format: 'count' })
  // Eight heartbeats of each.
  await delay(8_000)
  // Promises of a heartbeat that is on its way end with it; what is left behind stays, and grows.
  await eventually(() => expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(8))
})
