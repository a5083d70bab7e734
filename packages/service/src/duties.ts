import { schemaOf, type Contract, type Event, type JobDeclaration } from '@svc/contract'
import { forgetOld, lead, share, type Lease, type Pool } from '@svc/postgres'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { openGauges, type Gauges } from './gauges.ts'
import { openHeartbeat } from './heartbeat.ts'
import { LAG, openLag } from './lag.ts'
import type { Log } from './log.ts'
import { tellJobs } from './metrics.ts'
import { DEAD_LETTERS, watchLetters } from './open-letters.ts'
import type { Reactor } from './react.ts'
import { relayOutbox, watchStream } from './relay.ts'
import { openScheduler, type Job, type Scheduler, type ScheduledJob } from './scheduler.ts'
import type { NeedsWatch } from './watch-needs.ts'
import { READERS, watchReaders } from './watch-readers.ts'

/** Duties of the leader of a schema: its jobs, the relay of its outbox, and housekeeping. */
export interface Duties {
  /** Runs the relay and the jobs that `waker` wakes, if this process leads the schema. */
  wake(waker: string): void
  /** Stops all running work, waits for it up to 5 s, and lets another process lead. */
  stop(): Promise<void>
}

const HOUSEKEEPING: JobDeclaration = {
  summary: 'Delete inbox rows, idempotent answers, failures of events and sent events that are too old',
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

/** What processes of a service share, so that each works on a part: names, of which each process holds some. */
export interface Shares {
  readonly names: readonly string[]
  /**
   * Called before the shared jobs run on a set of names, with all that this process holds now: takes over the state of
   * new ones and forgets that of others. Called with none when they have stopped.
   */
  hold(names: readonly string[]): Promise<void>
}

/** The jobs of a service, and the settings that override their declared interval and budget. */
export interface Jobs {
  readonly jobs?: Readonly<Record<string, Job>>
  /** Required if a job is `shared`. */
  readonly shares?: Shares
  readonly jobPace?: Readonly<Record<string, Partial<Pick<JobDeclaration, 'everyMs' | 'budgetSec'>>>>
  /** Figures of the schema that its leader exposes as metrics. */
  readonly gauges?: Gauges
}

/** Returns the jobs of a service with their declarations. Throws for a job that its contract does not declare. */
export function scheduled(contract: Contract, { jobs = {}, jobPace = {} }: Jobs): ScheduledJob[] {
  return Object.entries(jobs).map(([name, run]) => {
    const declared = (contract.jobs as Record<string, JobDeclaration>)[name]
    if (declared === undefined) throw new Error(`${contract.name} does not declare job ${name}`)
    return { name, declared: { ...declared, ...jobPace[name] }, run }
  })
}

interface DutyOptions {
  readonly contract: Contract
  /** Contracts that the service knows besides its own. */
  readonly contracts: readonly Contract[]
  /** Events that it consumes. */
  readonly events: readonly Event[]
  readonly url: string
  readonly pool: Pool
  readonly bus: Bus
  readonly needs: NeedsWatch
  readonly jobs: Jobs
  /** Values of the settings that the contract declares: they say which jobs run dry. */
  readonly settings: Readonly<Record<string, unknown>>
  /** By subject; filled when the service starts to react. */
  readonly reactors: ReadonlyMap<string, Reactor>
  readonly clock: Clock
  readonly log: Log
}

/** Returns the jobs that every leader of a schema has besides its own. */
function jobsOfKit(
  { contract, pool, bus, log }: DutyOptions,
  { measure, compare, replay }: Readonly<Record<'measure' | 'compare' | 'replay', Job>>,
): ScheduledJob[] {
  const { name: service, operations, jobs, consumes, events } = contract
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
    run: replay,
  }
  const streamFill: ScheduledJob = {
    name: 'stream-fill',
    declared: STREAM_FILL,
    run: watchStream({ bus, service, log }),
  }
  return [
    outbox,
    housekeeping,
    { name: 'lag', declared: LAG, run: measure, quiet: true },
    ...(consumes.length > 0 ? [replays] : []),
    ...(Object.keys(events).length > 0 ? [streamFill, { name: 'readers', declared: READERS, run: compare }] : []),
  ]
}

/** Seeks to lead the schema of a service, and runs its duties while this process leads. */
export function openDuties(options: DutyOptions): Duties {
  const { contract, pool, bus, clock, log, settings } = options
  const lag = openLag(contract, pool, options.needs)
  const readers = watchReaders(contract, options.contracts, bus, log)
  const letters = watchLetters({ ...options, service: contract.name })
  const declared = scheduled(contract, options.jobs).map((one): ScheduledJob => {
    const { dryRun } = one.declared
    return dryRun === undefined ? one : { ...one, dry: settings[dryRun] === true }
  })
  const own = declared.filter((one) => one.declared.shared !== true)
  const heartbeat = openHeartbeat({ contract, jobs: own, settings, pool, clock })
  const gauges = openGauges(options.jobs.gauges ?? {})
  const all = [
    ...jobsOfKit(options, { measure: lag.measure, compare: readers.compare, replay: letters.replay }),
    ...(gauges.job === null ? [] : [gauges.job]),
    ...(heartbeat ?? own),
  ]
  // Without a name to share, as with no exchange to read, the shared jobs never run.
  const hasShares = (options.jobs.shares?.names.length ?? 0) > 0
  const shared = declared.filter((one) => hasShares && one.declared.shared === true)
  const told = [...all, ...shared].map(({ name, dry = null, declared: { everyMs } }) => ({ name, everyMs, dry }))
  const tell = (leading: boolean) => {
    lag.lead(leading)
    readers.lead(leading)
    letters.lead(leading)
    gauges.lead(leading)
    tellJobs(contract.name, told, leading ? clock.now() : null)
  }

  let scheduler: Scheduler | null = null
  let stopping = false
  const lease = lead(options.url, `lead:${schemaOf(contract.name)}`, async (signal, guard) => {
    const guarded = all.map((one): ScheduledJob => ({ ...one, run: (given) => guard(() => one.run(given)) }))
    const mine = openScheduler(guarded, { service: contract.name, clock, log })
    scheduler = mine
    tell(true)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    scheduler = null
    tell(false)
    if (!stopping)
      log.warn('the lease of the leader expired, as on a busy machine: jobs pause until a process leads again')
    await mine.stop()
  })
  const part = openShares({ ...options, all: declared })
  return {
    wake: (waker) => {
      scheduler?.wake(waker)
      part.wake(waker)
    },
    stop: async () => {
      stopping = true
      await Promise.all([lease.stop(), part.stop()])
    },
  }
}

const REPORT_EVERY_MS = 60_000

/** Runs the shared jobs of a service on the names that this process holds. */
function openShares(options: {
  readonly contract: Contract
  readonly url: string
  readonly all: readonly ScheduledJob[]
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
}): Duties {
  const { contract, url, clock, log } = options
  const { shares } = options.jobs
  const jobs = options.all.filter((one) => one.declared.shared === true)
  if (shares === undefined) {
    if (jobs.length > 0) throw new Error(`${contract.name} has shared jobs but no shares`)
    return { wake: () => {}, stop: async () => {} }
  }
  let scheduler: Scheduler | null = null
  let reportedAt = -Infinity
  const lease: Lease = share(url, `shares:${schemaOf(contract.name)}`, shares.names, async (names, signal, guard) => {
    log.info({ names: names.length, of: shares.names.length }, 'this process works on its part')
    await guard(() => shares.hold(names)).catch((error: unknown) => {
      // The part is sought again four times a second.
      if (performance.now() - reportedAt > REPORT_EVERY_MS) {
        log.error({ err: error, names }, 'this process cannot take over its part, and goes on trying')
        reportedAt = performance.now()
      }
      throw error
    })
    const guarded = jobs.map((one): ScheduledJob => ({ ...one, run: (given) => guard(() => one.run(given)) }))
    const mine = openScheduler(guarded, { service: contract.name, clock, log })
    scheduler = mine
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    scheduler = null
    await mine.stop()
    await shares.hold([])
  })
  return { wake: (waker) => scheduler?.wake(waker), stop: lease.stop }
}
