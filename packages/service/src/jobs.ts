import type { JobDeclaration } from '@svc/contract'
import type { Clock } from './clock.ts'
import { isOutage } from './errors.ts'
import type { Log } from './log.ts'
import { countTick } from './telemetry.ts'

/** One tick of a job; the report is logged when it says that something was done. */
export type Job = (signal: AbortSignal) => Promise<{ readonly done: number }>

/** Runs one tick within its budget. Never throws: the next tick tries again. */
export async function tick(
  name: string,
  declared: JobDeclaration,
  job: Job,
  parent: AbortSignal,
  log: Log,
  clock: Clock,
): Promise<boolean> {
  const signal = AbortSignal.any([parent, AbortSignal.timeout(declared.budgetSec * 1000)])
  try {
    const report = await job(signal)
    if (report.done > 0) log.info({ job: name, ...report }, 'job')
    countTick(name, 'ok', clock.now())
    return true
  } catch (error) {
    if (parent.aborted && error instanceof Error && error.name === 'AbortError') {
      countTick(name, 'skipped', clock.now())
      log.info({ job: name }, 'job was cut short by the stop of the service')
      return false
    }
    const outage = isOutage(error)
    countTick(name, outage ? 'skipped' : 'failed', clock.now())
    log[outage ? 'warn' : 'error']({ err: error, job: name }, 'job failed; the next tick tries again')
    return false
  }
}

/** Repeats a job until `signal` aborts, one tick at a time. */
export async function loop(
  name: string,
  declared: JobDeclaration,
  job: Job,
  signal: AbortSignal,
  log: Log,
  clock: Clock,
): Promise<void> {
  while (!signal.aborted) {
    await tick(name, declared, job, signal, log, clock)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, declared.everyMs)
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          resolve()
        },
        { once: true },
      )
    })
  }
}
