import type { JobDeclaration } from '@svc/contract'
import type { Clock } from './clock.ts'
import { isOutage } from './errors.ts'
import type { Log } from './log.ts'
import { countTick, tellNext } from './metrics.ts'

/** Result of a tick. */
export interface JobReport {
  /** Number of processed items. Above 0 the report is logged, and jobs that this one wakes run. */
  readonly done: number
  /** Time of the next tick; default: `everyMs` later. */
  readonly nextAt?: Date
  /** Further figures for the log. */
  readonly [figure: string]: unknown
}

/**
 * Runs one tick of a job. `signal` aborts when the budget is used up or when this process may no longer run the job.
 */
export type Job = (signal: AbortSignal) => Promise<JobReport>

/** A job with its declaration, which settings may override. */
export interface ScheduledJob {
  readonly name: string
  readonly declared: JobDeclaration
  readonly run: Job
  /** Leaves out the reports of a job whose ticks are too frequent for the log. */
  readonly quiet?: boolean
  /** The job runs dry: its report says so. */
  readonly dry?: boolean
}

/** Runs jobs when they are due, one tick of each at a time, until it is stopped. */
export interface Scheduler {
  /** Runs the jobs that `waker` wakes as soon as possible. */
  wake(waker: string): void
  /** Aborts running ticks, starts no others, and resolves when the last tick has ended. */
  stop(): Promise<void>
}

/**
 * Share of the interval by which a tick may start earlier, so that the ticks of many processes and jobs do not
 * coincide.
 */
const JITTER_SHARE = 0.1
/** Minimum pause between the ticks of a job that keeps returning a past time. */
const PAUSE_MS_MIN = 20
/** What every tick of a service uses. */
interface Ticking {
  /** Name of the service in metrics. */
  readonly service: string
  readonly clock: Clock
  readonly log: Log
}

interface Entry extends ScheduledJob {
  /** Cancels the timer of the next tick. */
  cancel: () => void
  running: AbortController | null
  /** The job was woken during its run. */
  woken: boolean
}

/**
 * Starts a scheduler. A late or missed tick runs once. Each job has one timer, which neither other jobs nor its own
 * wake-ups postpone. Each tick has a separate signal, so that no listener outlives it.
 */
export function openScheduler(
  jobs: readonly ScheduledJob[],
  { service, clock, log, random = Math.random }: Ticking & { readonly random?: () => number },
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
    const ticking = tick(entry, stop, { service, clock, log }).then((report) => {
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
 * Runs a job within its budget, which is measured in real time whatever the clock. `stop` aborts with a `TimeoutError`
 * when the budget is used up. Rejects if the job does.
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

/**
 * Runs one tick within its budget. Never rejects: resolves to null if the tick fails, and the next tick tries again.
 */
export async function tick(
  job: ScheduledJob,
  stop: AbortController,
  { service, clock, log }: Ticking,
): Promise<JobReport | null> {
  const { name, quiet = false, dry = false } = job
  try {
    const report = await runWithin(job, stop)
    const { nextAt, ...told } = report
    if (report.done > 0 && !quiet) log.info({ job: name, ...(dry ? { dry } : {}), ...told }, 'job')
    countTick(service, name, 'ok', clock.now())
    const { everyMs } = job.declared
    // A process that runs the job no longer exposes no interval of it.
    if (nextAt !== undefined && !stop.signal.aborted)
      tellNext(service, name, { everyMs, inMs: nextAt.getTime() - clock.now().getTime() })
    return report
  } catch (error) {
    const { aborted, reason } = stop.signal
    const stopped = aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError')
    if (stopped && error instanceof Error && error.name === 'AbortError') {
      countTick(service, name, 'skipped', clock.now())
      log.info({ job: name }, 'job was aborted by the stop of the service')
      return null
    }
    if (error instanceof Error && error.name === 'LeaseLost') {
      // Every running job ends like this; the leader's duties say it once.
      countTick(service, name, 'skipped', clock.now())
      log.info({ job: name }, 'job ended with the lease')
      return null
    }
    const outage = isOutage(error)
    countTick(service, name, outage ? 'skipped' : 'failed', clock.now())
    log[outage ? 'warn' : 'error']({ err: error, job: name }, 'job failed; the next tick tries again')
    return null
  }
}
