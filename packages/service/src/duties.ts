import { schemaOf, type Contract, type JobDeclaration } from '@svc/contract'
import { forgetOld, lead, type Pool } from '@svc/postgres'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { openHeartbeat } from './heartbeat.ts'
import type { Log } from './log.ts'
import { replayLetters, type Reactor } from './react.ts'
import { relayOutbox, watchStream } from './relay.ts'
import { openScheduler, type Job, type Scheduler, type ScheduledJob } from './scheduler.ts'

/** Duties of the leader of a schema: its jobs, the relay of its outbox, and housekeeping. */
export interface Duties {
  /** Runs the relay and the jobs that `waker` wakes, if this process leads the schema. */
  wake(waker: string): void
  /** Stops all running work, waits for it up to 5 s, and lets another process lead. */
  stop(): Promise<void>
}

const HOUSEKEEPING: JobDeclaration = {
  summary: 'Delete inbox rows, idempotent answers and dead letters that are too old',
  everyMs: 3_600_000,
  max: 10_000,
  budgetSec: 60,
}

const STREAM_FILL: JobDeclaration = {
  summary: 'Raise an alarm before the stream of events is full',
  everyMs: 60_000,
  max: 1,
  budgetSec: 30,
}

const DEAD_LETTERS: JobDeclaration = {
  summary: 'Replay dead letters that a person marked',
  everyMs: 2_000,
  max: 100,
  budgetSec: 60,
}

/** The jobs of a service, and the settings that override their declared interval and budget. */
export interface Jobs {
  readonly jobs?: Readonly<Record<string, Job>>
  readonly jobPace?: Readonly<Record<string, Partial<Pick<JobDeclaration, 'everyMs' | 'budgetSec'>>>>
}

/** Returns the jobs of a service with their declarations. Throws for a job that its contract does not declare. */
export function scheduled(contract: Contract, { jobs = {}, jobPace = {} }: Jobs): ScheduledJob[] {
  return Object.entries(jobs).map(([name, run]) => {
    const declared = (contract.jobs as Record<string, JobDeclaration>)[name]
    if (declared === undefined) throw new Error(`${contract.name} does not declare job ${name}`)
    return { name, declared: { ...declared, ...jobPace[name] }, run }
  })
}

/** Seeks to lead the schema of a service, and runs its duties while this process leads. */
export function openDuties(options: {
  readonly contract: Contract
  readonly url: string
  readonly pool: Pool
  readonly bus: Bus
  readonly jobs: Jobs
  /** Values of the settings that the contract declares: they say which jobs run dry. */
  readonly settings: Readonly<Record<string, unknown>>
  /** By subject; filled when the service starts to react. */
  readonly reactors: ReadonlyMap<string, Reactor>
  readonly clock: Clock
  readonly log: Log
}): Duties {
  const { contract, pool, bus, clock, log, settings } = options
  const { name: service, operations, jobs, consumes } = contract
  const outbox: ScheduledJob = {
    name: 'outbox',
    declared: {
      summary: 'Publish events',
      everyMs: 1_000,
      max: Infinity,
      budgetSec: 30,
      // Everything that writes may emit events.
      wokenBy: [...Object.keys(operations), ...Object.keys(jobs), ...consumes, 'heartbeat'],
    },
    run: relayOutbox({ pool, bus, service, log }),
    quiet: true,
  }
  const housekeeping: ScheduledJob = {
    name: 'housekeeping',
    declared: HOUSEKEEPING,
    run: async () => ({ done: await forgetOld(pool, HOUSEKEEPING.max) }),
  }
  const replays: ScheduledJob = {
    name: 'dead-letters',
    declared: DEAD_LETTERS,
    run: replayLetters(pool, options.reactors, DEAD_LETTERS.max),
  }
  const streamFill: ScheduledJob = {
    name: 'stream-fill',
    declared: STREAM_FILL,
    run: watchStream({ bus, service, log }),
  }
  const own = scheduled(contract, options.jobs)
  const heartbeat = openHeartbeat({ contract, jobs: own, settings, pool, clock })
  const all = [
    outbox,
    housekeeping,
    ...(consumes.length > 0 ? [replays] : []),
    ...(Object.keys(contract.events).length > 0 ? [streamFill] : []),
    ...(heartbeat ?? own),
  ]

  let scheduler: Scheduler | null = null
  let stopping = false
  const lease = lead(options.url, `lead:${schemaOf(service)}`, async (signal, guard) => {
    const guarded = all.map((one): ScheduledJob => ({ ...one, run: (given) => guard(() => one.run(given)) }))
    const mine = openScheduler(guarded, { clock, log })
    scheduler = mine
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    scheduler = null
    if (!stopping)
      log.warn('the lease of the leader expired, as on a busy machine: jobs pause until a process leads again')
    await mine.stop()
  })
  return {
    wake: (waker) => scheduler?.wake(waker),
    stop: () => {
      stopping = true
      return lease.stop()
    },
  }
}
