import { schemaOf, type Contract, type JobDeclaration } from '@svc/contract'
import { forgetOld, lead, type Pool } from '@svc/postgres'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { relayOutbox, replayLetters, type Reactor } from './events.ts'
import type { Log } from './log.ts'
import { openScheduler, type Job, type Scheduler, type ScheduledJob } from './scheduler.ts'

/** What the leader of a schema does besides answering: its jobs, the relay of its outbox, and housekeeping. */
export interface Duties {
  /** Runs the jobs that `waker` wakes and the relay, if this process leads the schema. */
  wake(waker: string): void
  /** Ends what runs, waits for it up to 5 s, and lets another process lead. */
  stop(): Promise<void>
}

const HOUSEKEEPING: JobDeclaration = {
  summary: 'Forget what can no longer be asked for',
  everyMs: 3_600_000,
  max: 10_000,
  budgetSec: 60,
}

const DEAD_LETTERS: JobDeclaration = {
  summary: 'Try dead letters once more that a person wants replayed',
  everyMs: 2_000,
  max: 100,
  budgetSec: 60,
}

/** The jobs of a service and what its settings say of their pace and budget instead of their declarations. */
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

/** Waits to lead the schema of a service, and does its duties for as long as it does. */
export function openDuties(options: {
  readonly contract: Contract
  readonly url: string
  readonly pool: Pool
  readonly bus: Bus
  readonly jobs: Jobs
  /** By subject; filled once the service reacts. */
  readonly reactors: ReadonlyMap<string, Reactor>
  readonly clock: Clock
  readonly log: Log
}): Duties {
  const { contract, pool, bus, clock, log } = options
  const { name: service, operations, jobs, consumes } = contract
  const outbox: ScheduledJob = {
    name: 'outbox',
    declared: {
      summary: 'Publish events',
      everyMs: 1_000,
      max: Infinity,
      budgetSec: 30,
      // Whatever writes may emit.
      wokenBy: [...Object.keys(operations), ...Object.keys(jobs), ...consumes],
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
  const all = [outbox, housekeeping, ...(consumes.length > 0 ? [replays] : []), ...scheduled(contract, options.jobs)]

  let scheduler: Scheduler | null = null
  const lease = lead(options.url, `lead:${schemaOf(service)}`, async (signal, guard) => {
    const guarded = all.map((one): ScheduledJob => ({ ...one, run: (given) => guard(() => one.run(given)) }))
    const mine = openScheduler(guarded, { clock, log })
    scheduler = mine
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    scheduler = null
    await mine.stop()
  })
  return { wake: (waker) => scheduler?.wake(waker), stop: lease.stop }
}
