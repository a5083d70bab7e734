import type { Contract, Event, JobDeclaration } from '@svc/contract'
import { HEARTBEAT_EVENT, type WorkerSeen } from '@svc/contracts/common/heartbeat'
import { emit, type Pool } from '@svc/postgres'
import type { Clock } from './clock.ts'
import type { JobReport, ScheduledJob } from './scheduler.ts'

const HEARTBEAT: JobDeclaration = {
  summary: 'Tell how the jobs of the service ran',
  everyMs: 30_000,
  max: 100,
  budgetSec: 20,
}

/**
 * Returns the jobs of a service so that each run is noted, and the job that publishes them. Null for a service that
 * declares no heartbeat. Only the leader runs jobs, so only the leader tells of them.
 */
export function openHeartbeat(options: {
  readonly contract: Contract
  readonly jobs: readonly ScheduledJob[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly pool: Pool
  readonly clock: Clock
}): readonly ScheduledJob[] | null {
  const { contract, jobs, settings, pool, clock } = options
  const event = (contract.events as Record<string, Event>)[HEARTBEAT_EVENT]
  if (event === undefined) return null
  const seen = new Map<string, WorkerSeen>()
  const watched = jobs.map((one): ScheduledJob => {
    const { name, declared, run } = one
    const note = (report: JobReport | null) => {
      const now = clock.now()
      const dueMs = report?.nextAt?.getTime() ?? now.getTime() + declared.everyMs
      const before = seen.get(name)
      seen.set(name, {
        job: name,
        live: declared.dryRun === undefined || settings[declared.dryRun] !== true,
        every_sec: declared.everyMs / 1000,
        due_at: new Date(dueMs).toISOString(),
        last_run_at: now.toISOString(),
        last_ok_at: report === null ? (before?.last_ok_at ?? null) : now.toISOString(),
        figures: report === null ? (before?.figures ?? {}) : figuresOf(report, declared.tells ?? []),
      })
    }
    const noted = async (signal: AbortSignal) => {
      const report = await run(signal).catch((error: unknown) => {
        // A run that the stop of the process ended says nothing about the job; one that used up its budget does.
        const usedUp = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
        if (!signal.aborted || usedUp) note(null)
        throw error
      })
      note(report)
      return report
    }
    return { ...one, run: noted }
  })
  const tell = async () => {
    if (seen.size === 0) return { done: 0 }
    await pool.transaction((tx) => emit(tx, event, { at: clock.now().toISOString(), workers: [...seen.values()] }))
    return { done: 1 }
  }
  return [...watched, { name: 'heartbeat', declared: HEARTBEAT, run: tell, quiet: true }]
}

/** Returns the named figures of a report; a figure that is neither a number nor a short text is left out. */
function figuresOf(report: JobReport, names: readonly string[]): WorkerSeen['figures'] {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = report[name]
      return value === null || typeof value === 'number' || (typeof value === 'string' && value.length <= 40)
        ? [[name, value]]
        : []
    }),
  )
}
