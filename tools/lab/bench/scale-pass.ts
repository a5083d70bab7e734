// Runs single jobs of market-data over all venues of its settings, in a process of its own so that nothing else is counted.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { jobs } from '@svc/market-data/jobs'
import { pacedClock } from '@svc/service'
import { openMarketData } from './market-data-jobs.ts'

/** One measured job: how often it was run, what it did, and what that took. */
export interface ScalePass {
  readonly done: number
  readonly cpu: number
  readonly wall: number
  readonly mb: number
  /** The longest turn of the event loop, milliseconds. */
  readonly turnMs: number
}

interface Asked {
  readonly job: string
  /** Seconds after which the job is stopped. */
  readonly seconds: number
  /** Whether to run it again until it has done this much. */
  readonly until?: number
  /** Minutes by which the clock is moved on before. */
  readonly later?: number
  /** Minutes that crises are judged. */
  readonly judge?: number
}

let shift = 0
const clock = pacedClock(() => Date.now() + shift)
const { context } = await openMarketData(clock)

async function measure({ job, seconds, until = 1, later = 0, judge }: Asked): Promise<ScalePass> {
  shift += later * 60_000
  if (judge !== undefined) context.crisis.minute = clock.now().getTime() - judge * 60_000
  const run = jobs[job]?.(context)
  if (run === undefined) throw new Error(`there is no job ${job}`)
  const turns = monitorEventLoopDelay({ resolution: 1 })
  turns.enable()
  const begun = performance.now()
  const before = process.cpuUsage()
  const signal = AbortSignal.timeout(seconds * 1_000)
  let done = 0
  for (;;) {
    const report = await run(signal)
    done += report.done
    if (done >= until || signal.aborted) break
    await delay(Math.max(20, Math.min((report.nextAt?.getTime() ?? 0) - clock.now().getTime(), 200)))
  }
  const { user, system } = process.cpuUsage(before)
  turns.disable()
  return {
    done,
    cpu: (user + system) / 1e6,
    wall: (performance.now() - begun) / 1_000,
    mb: process.memoryUsage().rss / 1e6,
    turnMs: turns.max / 1e6,
  }
}

process.on('message', (asked: Asked) => void measure(asked).then((pass) => process.send?.(pass)))
process.send?.({ ready: true })
