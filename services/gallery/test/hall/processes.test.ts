import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '@svc/postgres'
import { eventually, opened, testProcesses } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agentOf, dayText, mandateId, mandateOf, playWorld } from '../facts/world.ts'
import { startGalleryRig } from '../rig.ts'

const rig = opened(() => startGalleryRig())
const processes = testProcesses(new URL('../../src/main.ts', import.meta.url), () => rig.environment())

const TABLES = ['hall_snapshot', 'hall_record', 'hall_order', 'fact_mandate', 'fact_day'] as const
const counts = async () => {
  const found = TABLES.map(async (table) => [
    table,
    await rig.pool.oneFirst(
      sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM ${sql.identifier([table])}`,
    ),
  ])
  return Object.fromEntries(await Promise.all(found)) as Record<(typeof TABLES)[number], number>
}
/** Lets a writer of a table wait until `release`. */
async function hold(table: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const holding = rig.pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`LOCK TABLE ${sql.identifier([table])} IN SHARE MODE`)
    lock()
    // Postgres ends a transaction that is idle for 30 s.
    for (let over = false; !over;) {
      over = await Promise.race([released.then(() => true), delay(1_000, false)])
      await tx.query(sql.unsafe`SELECT 1`)
    }
  })
  await Promise.race([locked, holding])
  return () => {
    release()
    return holding
  }
}
const waits = (table: string) =>
  eventually(async () => {
    const waiting = await rig.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
      SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass`)
    return waiting > 0
  })

test('a process that is killed while it stores facts or the Hall leaves nothing of it; of two others one computes it, and both answer the same', async () => {
  const world = playWorld(rig)
  const until = dayText(Date.now())
  for (let id = 1; id <= 3; id += 1) {
    world.agents.set(id, agentOf(id))
    const results = Array.from({ length: 20 }, (_, at) => ((at % 3) - 1) * 0.01 * id)
    world.mandates.set(mandateId(id), mandateOf(id, id, { results, until }))
  }
  await rig.end()

  const letFacts = await hold('fact_change')
  const [first] = await Promise.all([processes.start(), waits('fact_change')])
  await processes.kill(first)
  await letFacts()
  expect(await counts()).toMatchObject({ fact_mandate: 0, fact_day: 0, hall_record: 0 })

  const letHall = await hold('hall_snapshot')
  const [second] = await Promise.all([processes.start(), waits('hall_snapshot')])
  await processes.kill(second)
  await letHall()
  expect(await counts()).toEqual({ hall_snapshot: 0, hall_record: 0, hall_order: 0, fact_mandate: 3, fact_day: 63 })

  await Promise.all([processes.start(), processes.start()])
  await eventually(async () => (await counts()).hall_snapshot === 1)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => rig.as(null).readHall({ sort: 'worth_change', window: '30d' })),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ total: 3, pending: false, stale: false })
  expect(answers[0]?.items.every(({ ranked, degraded }) => ranked && !degraded)).toBe(true)
})
