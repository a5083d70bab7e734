import type { JobDeclaration } from '@svc/contract'
import type { Clock } from './clock.ts'
import { isOutage } from './errors.ts'
import type { Log } from './log.ts'
import { countTick } from './telemetry.ts'

/** What a tick of a job answers. */
export interface JobReport {
  /** Items that were worked on; above 0 the report is logged, and jobs woken by this one run. */
  readonly done: number
  /** When the job is due next; without it after the declared `everyMs`. */
  readonly nextAt?: Date
  /** Further figures for the log. */
  readonly [figure: string]: unknown
}

/** One tick of a job. `signal` aborts when its budget is used up, or when this process must not run it any longer. */
export type Job = (signal: AbortSignal) => Promise<JobReport>

/** A job with what its contract, and perhaps a setting, says of it. */
export interface ScheduledJob {
  readonly name: string
  readonly declared: JobDeclaration
  readonly run: Job
  /** Its reports are too frequent for the log. */
  readonly quiet?: boolean
}

/** Runs jobs when they are due, each one tick at a time, until it is stopped. */
export interface Scheduler {
  /** Runs the jobs that `waker` wakes as soon as they can be. */
  wake(waker: string): void
  /** Aborts what runs, starts nothing more, and resolves when the last tick has ended. */
  stop(): Promise<void>
}

/** Ticks of many processes and jobs must not fall together: what is due by its pace alone comes up to a tenth sooner. */
const JITTER_SHARE = 0.1
/** A job that answers the same past time again and again leaves at least so much between its ticks. */
const PAUSE_MS_MIN = 20
interface Entry extends ScheduledJob {
  /** Cancels the timer of the next tick. */
  cancel: () => void
  running: AbortController | null
  /** Something woke the job while it ran. */
  woken: boolean
}

/**
 * Starts a scheduler. A tick that comes late, or that was slept through, runs once. Each job has one timer, which neither
 * other jobs nor its own wake-ups put off, and each tick a signal of its own, so that nothing is left of it anywhere when
 * it has ended.
 */
export function openScheduler(
  jobs: readonly ScheduledJob[],
  { clock, log, random = Math.random }: { readonly clock: Clock; readonly log: Log; readonly random?: () => number },
): Scheduler {
  const entries = jobs.map((one): Entry => ({ ...one, cancel: () => {}, running: null, woken: false }))
  const ticks = new Set<Promise<void>>()
  let stopped = false

  const schedule = (entry: Entry, ms: number) => {
    entry.cancel()
    if (!stopped) entry.cancel = clock.after(ms, () => start(entry))
  }
  const wake = (waker: string) => {
    for (const entry of entries) {
      if (entry.declared.wokenBy?.includes(waker) !== true) continue
      entry.woken = true
      if (entry.running === null) schedule(entry, 0)
    }
  }
  const start = (entry: Entry) => {
    if (stopped || entry.running !== null) return
    const stop = new AbortController()
    entry.running = stop
    entry.woken = false
    const ticking = tick(entry, stop, { clock, log }).then((report) => {
      const pace = entry.declared.everyMs * (1 - JITTER_SHARE * random())
      const next = report?.nextAt === undefined ? pace : report.nextAt.getTime() - clock.now().getTime()
      entry.running = null
      ticks.delete(ticking)
      schedule(entry, entry.woken ? 0 : Math.max(PAUSE_MS_MIN, next))
      if (report !== null && report.done > 0) wake(entry.name)
    })
    ticks.add(ticking)
  }
  for (const entry of entries) schedule(entry, 0)
  return {
    wake,
    stop: async () => {
      stopped = true
      for (const { cancel, running } of entries) {
        cancel()
        running?.abort(new DOMException('the service stops', 'AbortError'))
      }
      await Promise.all(ticks)
    },
  }
}

/**
 * Runs a job within its budget, which is real time whatever the clock says: `stop` aborts with a `TimeoutError` when the
 * budget is used up. Rejects as the job does.
 */
export async function runWithin(
  { name, declared, run }: Pick<ScheduledJob, 'name' | 'declared' | 'run'>,
  stop: AbortController,
): Promise<JobReport> {
  const usedUp = () => stop.abort(new DOMException(`${name} has used up its ${declared.budgetSec} s`, 'TimeoutError'))
  const budget = setTimeout(usedUp, declared.budgetSec * 1000)
  try {
    return await run(stop.signal)
  } finally {
    clearTimeout(budget)
  }
}

/** Runs one tick within its budget. Never rejects: resolves with null for a tick that failed, and the next one tries again. */
export async function tick(
  job: ScheduledJob,
  stop: AbortController,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<JobReport | null> {
  const { name, quiet = false } = job
  try {
    const report = await runWithin(job, stop)
    const { nextAt: _, ...told } = report
    if (report.done > 0 && !quiet) log.info({ job: name, ...told }, 'job')
    countTick(name, 'ok', clock.now())
    return report
  } catch (error) {
    const { aborted, reason } = stop.signal
    const stopped = aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError')
    if (stopped && error instanceof Error && error.name === 'AbortError') {
      countTick(name, 'skipped', clock.now())
      log.info({ job: name }, 'job was cut short by the stop of the service')
      return null
    }
    const outage = isOutage(error)
    countTick(name, outage ? 'skipped' : 'failed', clock.now())
    log[outage ? 'warn' : 'error']({ err: error, job: name }, 'job failed; the next tick tries again')
    return null
  }
}
