import type { JobDeclaration } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { gallery } from '@svc/contracts/gallery'
import type { WorkerView } from '@svc/contracts/gallery/status'
import { hlLeg } from '@svc/contracts/hl-leg'
import { keeper } from '@svc/contracts/keeper'
import { mandates } from '@svc/contracts/mandates'
import type { Worker } from './store/workers.ts'

/** Jobs of the services that tell of them. */
const JOBS: Readonly<Record<WorkerView['service'], Readonly<Record<string, JobDeclaration>>>> = {
  keeper: keeper.jobs,
  'hl-leg': hlLeg.jobs,
  mandates: mandates.jobs,
  'chain-indexer': chainIndexer.jobs,
  gallery: gallery.jobs,
}

/** Time after which a run is late that was due, next to its interval. */
const LATE_MS = 60_000

/** Returns a job as the status page shows it; nothing for a job that its service no longer declares. */
export function workerView(worker: Worker, now: Date): WorkerView | [] {
  const service = Object.keys(JOBS).find((name): name is WorkerView['service'] => name === worker.service)
  const declared = service === undefined ? undefined : JOBS[service][worker.job]
  if (service === undefined || declared === undefined) return []
  const age = (at: string) => ageSec(at, now)
  const overdueMs = now.getTime() - Date.parse(worker.due_at)
  const failed = worker.last_ok_at === null || worker.last_ok_at < worker.last_run_at
  return {
    service,
    worker: worker.job,
    title: declared.summary.split(';')[0] ?? declared.summary,
    mode: worker.live ? 'live' : 'dry',
    state: overdueMs > worker.every_sec * 1000 + LATE_MS ? 'late' : failed ? 'failing' : 'ok',
    last_run_age_sec: age(worker.last_run_at),
    last_ok_age_sec: worker.last_ok_at === null ? null : age(worker.last_ok_at),
    every_sec: worker.every_sec,
  }
}

/** Returns the seconds since a time; clocks that differ make none negative. */
export const ageSec = (at: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000))
