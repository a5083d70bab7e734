import { getEventListeners } from 'node:events'
import { job } from '@svc/contract'
import { FakeClock } from '@svc/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { metricsText } from './meters.ts'
import { openScheduler, tick, type Job, type JobReport, type ScheduledJob } from './scheduler.ts'

const START = Date.parse('2026-01-15T12:00:00.000Z')
const SECOND = 1_000

/** A log that keeps the levels of its lines. */
function openLines() {
  const levels: string[] = []
  const log = pino(
    { level: 'debug' },
    { write: (line) => void levels.push(pino.levels.labels[(JSON.parse(line) as { level: number }).level] ?? '') },
  )
  return { levels, log }
}

/** A scheduler on a clock that a test moves, and when each of its jobs ran, in seconds from the start. */
function openRig(jobs: readonly (Partial<ScheduledJob['declared']> & { readonly name: string; readonly run?: Job })[]) {
  const clock = new FakeClock(new Date(START))
  const ran: Record<string, number[]> = {}
  const scheduler = openScheduler(
    jobs.map(({ name, run = async () => ({ done: 0 }), ...declared }) => ({
      name,
      declared: job({ summary: name, everyMs: 60 * SECOND, max: 1, budgetSec: 60, ...declared }),
      run: async (signal) => {
        ;(ran[name] ??= []).push((clock.now().getTime() - START) / SECOND)
        return run(signal)
      },
    })),
    { service: 'test', clock, log: openLines().log, random: () => 0 },
  )
  /** Moves the clock on second by second; each tick ends before the next second. */
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second += 1) {
      clock.advance(SECOND)
      await settled()
    }
  }
  return { clock, ran, scheduler, seconds }
}

/** Lets every tick that can end do so, and those that it wakes: timers of the same length fire in their order. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1))
}

test('a job runs at once, and then at its declared interval or at the time that it returns', async () => {
  const answers = async (): Promise<JobReport> => ({ done: 0, nextAt: new Date(clock.now().getTime() + 7 * SECOND) })
  const { clock, ran, scheduler, seconds } = openRig([
    { name: 'paced', everyMs: 5 * SECOND },
    { name: 'answering', run: answers },
  ])
  await settled()
  await seconds(21)
  expect(ran).toEqual({ paced: [0, 5, 10, 15, 20], answering: [0, 7, 14, 21] })
  await scheduler.stop()
})

test('jitter starts a tick up to a tenth of its interval earlier', async () => {
  const clock = new FakeClock(new Date(START))
  let ticks = 0
  const run = async () => ({ done: (ticks += 1) })
  const declared = job({ summary: 'Tick', everyMs: 100 * SECOND, max: 1, budgetSec: 1 })
  const scheduler = openScheduler([{ name: 'tick', declared, run }], {
    service: 'test',
    clock,
    log: openLines().log,
    random: () => 1,
  })
  await settled()
  clock.advance(89 * SECOND)
  await settled()
  expect(ticks).toBe(1)
  clock.advance(SECOND)
  await settled()
  expect(ticks).toBe(2)
  await scheduler.stop()
})

test('a job that missed many due times runs once', async () => {
  const { clock, ran, scheduler } = openRig([{ name: 'paced', everyMs: SECOND }])
  await settled()
  clock.advance(3_600 * SECOND)
  await settled()
  expect(ran).toEqual({ paced: [0, 3_600] })
  await scheduler.stop()
})

test('a job is woken by the names in wokenBy, by a job that did work, and again by a wake-up during its run', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const { ran, scheduler, seconds } = openRig([
    { name: 'woken', wokenBy: ['makeThing'] },
    { name: 'busy', everyMs: 5 * SECOND, run: async () => ({ done: 1 }) },
    { name: 'following', everyMs: 3_600 * SECOND, wokenBy: ['busy'] },
    {
      name: 'held',
      everyMs: 3_600 * SECOND,
      wokenBy: ['makeThing'],
      run: async () => {
        await held
        return { done: 0 }
      },
    },
  ])
  await settled()
  await seconds(2)
  scheduler.wake('makeThing')
  scheduler.wake('somethingElse')
  await settled()
  expect(ran['woken']).toEqual([0, 2])
  expect(ran['held']).toEqual([0])
  release()
  await settled()
  expect(ran['held']).toEqual([0, 2])
  await seconds(3)
  expect(ran['following']).toEqual([0, 5])
  await scheduler.stop()
})

test('a job never runs twice at once, and its tick ends when the scheduler stops', async () => {
  let running = 0
  let most = 0
  const { scheduler, seconds } = openRig([
    {
      name: 'long',
      everyMs: SECOND,
      wokenBy: ['makeThing'],
      run: async (signal) => {
        most = Math.max(most, (running += 1))
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        running -= 1
        return { done: 0 }
      },
    },
  ])
  await settled()
  scheduler.wake('makeThing')
  await seconds(5)
  expect([running, most]).toEqual([1, 1])
  await scheduler.stop()
  expect([running, most]).toEqual([0, 1])
})

test('thousands of ticks leave no listener, timer or memory behind', async () => {
  const stop = new AbortController()
  const seen: AbortSignal[] = []
  const { clock, ran, scheduler } = openRig([
    {
      name: 'tick',
      everyMs: SECOND,
      run: async (signal) => {
        if (seen.length < 100) seen.push(signal)
        // What a job does with its signal: race it, and derive others from it.
        AbortSignal.any([signal, stop.signal])
        return { done: 0 }
      },
    },
  ])
  await settled()
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  for (let ticked = 0; ticked < 5_000; ticked += 1) {
    clock.advance(SECOND)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(ran['tick']?.length).toBeGreaterThan(4_900)
  expect(timers() - before).toBeLessThanOrEqual(1)
  expect(seen.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([])
  await scheduler.stop()
})

const declared = job({ summary: 'Wait', everyMs: 1_000, max: 1, budgetSec: 60 })

/** What a tick logs when its service stops while `run` runs. */
async function loggedOf(run: Job): Promise<string[]> {
  const { levels, log } = openLines()
  const stop = new AbortController()
  const ticked = tick({ name: 'wait', declared, run }, stop, { service: 'test', clock: new FakeClock(), log })
  stop.abort()
  expect(await ticked).toBeNull()
  return levels
}

test('a job that is aborted by the stop of its service is not logged as a failure', async () => {
  const cutShort: Job = (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
  expect(await loggedOf(cutShort)).toEqual(['info'])
})

test('a job that fails while its service stops is logged as a failure', async () => {
  const failing: Job = (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('bug')), { once: true }))
  expect(await loggedOf(failing)).toEqual(['error'])
})

test('a job that names a later run is not late before it: that time is exposed as its interval', async () => {
  const clock = new FakeClock(new Date(START))
  const declared = job({ summary: 'x', everyMs: 60 * SECOND, max: 1, budgetSec: 60 })
  const intervalAfter = async (nextAt: Date | null) => {
    const run = async () => ({ done: 0, ...(nextAt === null ? {} : { nextAt }) })
    const ticking = { service: 'test', clock, log: openLines().log }
    await tick({ name: 'hourly', declared, run }, new AbortController(), ticking)
    return /^hub_worker_interval_seconds\{[^}]*worker="hourly"[^}]*\} (\S+)$/m.exec(await metricsText())?.[1]
  }
  expect(await intervalAfter(null)).toBeUndefined()
  expect(await intervalAfter(new Date(START + 3_600 * SECOND))).toBe('3600')
  expect(await intervalAfter(new Date(START + SECOND))).toBe('60')
})
