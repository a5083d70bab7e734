import { contract, job, setting, switchWord } from '@svc/contract'
import { heartbeatEvents } from '@svc/contracts/common/heartbeat'
import { openPool, sql } from '@svc/postgres'
import { disposableDatabase, FakeClock, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openHeartbeat } from '../src/heartbeat.ts'
import type { ScheduledJob } from '../src/scheduler.ts'

const ticker = contract('ticker', {
  title: 'Ticks',
  operations: {},
  events: heartbeatEvents,
  settings: { dry: setting({ env: 'TICKER_DRY', schema: switchWord, default: '1', doc: 'Dry run.' }) },
  jobs: {
    tick: job({ summary: 'Tick', everyMs: 30_000, dryRun: 'dry', tells: ['seen', 'none'], max: 1, budgetSec: 60 }),
    fail: job({ summary: 'Fail', everyMs: 60_000, max: 1, budgetSec: 60 }),
  },
})
const database = opened(() => disposableDatabase('ticker'))

test('a heartbeat tells of each job that ran whether it ran live, when it succeeded, and the figures it declares', async () => {
  const pool = await openPool(database.url)
  const clock = new FakeClock('2026-11-21T09:00:00.000Z')
  let isBroken = false
  const jobs: readonly ScheduledJob[] = [
    { name: 'tick', declared: ticker.jobs.tick, run: async () => ({ done: 1, seen: 3, none: null, more: 5 }) },
    {
      name: 'fail',
      declared: ticker.jobs.fail,
      run: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve({ done: 0 })),
    },
  ]
  const watched = openHeartbeat({ contract: ticker as never, jobs, settings: { dry: true }, pool, clock })
  const run = (name: string, signal = new AbortController().signal) =>
    watched?.find((one) => one.name === name)?.run(signal) ?? Promise.reject(new Error(`no job ${name}`))
  const told = async () => {
    await run('heartbeat')
    const rows = await pool.any(
      sql.type(z.object({ payload: z.any() }))`SELECT payload FROM outbox ORDER BY id DESC LIMIT 1`,
    )
    return rows[0]?.payload as { workers: object[] } | undefined
  }
  try {
    expect(await told()).toBeUndefined()
    await run('tick')
    await run('fail')
    isBroken = true
    clock.advance(60_000)
    await expect(run('fail')).rejects.toThrow('broken')
    const stopped = new AbortController()
    stopped.abort(new DOMException('the service stops', 'AbortError'))
    clock.advance(1_000)
    await expect(run('fail', stopped.signal)).rejects.toThrow('broken')
    expect((await told())?.workers).toEqual([
      {
        job: 'tick',
        live: false,
        every_sec: 30,
        due_at: '2026-11-21T09:00:30.000Z',
        last_run_at: '2026-11-21T09:00:00.000Z',
        last_ok_at: '2026-11-21T09:00:00.000Z',
        figures: { seen: 3, none: null },
      },
      expect.objectContaining({
        job: 'fail',
        live: true,
        last_run_at: '2026-11-21T09:01:00.000Z',
        last_ok_at: '2026-11-21T09:00:00.000Z',
      }),
    ])
    expect(openHeartbeat({ contract: { ...ticker, events: {} } as never, jobs, settings: {}, pool, clock })).toBeNull()
  } finally {
    await pool.end()
  }
})
