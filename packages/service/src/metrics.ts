import { metrics } from '@opentelemetry/api'
import type { SettingDeclaration } from '@svc/contract'
import { durationsOf } from './durations.ts'
import { gaugeOf } from './instruments.ts'
import './meters.ts'

const meter = metrics.getMeter('svc')

const jobTicks = meter.createCounter('hub_worker_ticks_total', { description: 'Ticks of jobs, by outcome' })
const jobSuccess = meter.createGauge('hub_worker_last_success_timestamp_seconds', {
  description: 'Last good tick of a job',
})

const setPace = gaugeOf(
  'hub_worker_interval_seconds',
  'Declared interval of a job, or the longer one that its last run named',
)
const setDry = gaugeOf('hub_dry_run', 'Whether a job runs dry: it reports what it would do, and does nothing')
const setLeading = gaugeOf(
  'hub_leader_since_timestamp_seconds',
  'When this process began to lead the schema of a service',
)

/** Exposes the jobs of a service while this process leads its schema; `since` is null when it does not. */
export function tellJobs(
  service: string,
  jobs: readonly { readonly name: string; readonly everyMs: number; readonly dry: boolean | null }[],
  since: Date | null,
): void {
  const leads = since !== null
  setLeading({ service }, leads ? since.getTime() / 1000 : null)
  for (const { name: worker, everyMs, dry } of jobs) {
    setPace({ service, worker }, leads ? everyMs / 1000 : null)
    if (dry !== null) setDry({ service, worker }, leads ? Number(dry) : null)
    // The first failure is an increase only if there was a zero before it.
    if (leads) for (const outcome of TICKS) jobTicks.add(0, { service, worker, outcome })
  }
}

/** Exposes when a job runs next, if that is later than its interval says: it is not late until then. */
export function tellNext(service: string, worker: string, { everyMs, inMs }: Record<'everyMs' | 'inMs', number>): void {
  setPace({ service, worker }, Math.max(everyMs, inMs) / 1000)
}

const TICKS = ['ok', 'skipped', 'failed'] as const

export function countTick(service: string, worker: string, outcome: (typeof TICKS)[number], at: Date): void {
  jobTicks.add(1, { service, worker, outcome })
  if (outcome === 'ok') jobSuccess.record(at.getTime() / 1000, { service, worker })
}

/** Running calls of a service that hold an idempotency key. */
export type Claims = Set<{ readonly now: Date }>

const running = new Map<string, Claims>()
meter
  .createObservableGauge('hub_idempotency_inflight_age_seconds', {
    description: 'Age of the oldest running call that holds an idempotency key; 0 if none runs',
  })
  .addCallback((result) => {
    for (const [service, claims] of running) {
      // A set keeps the order of its entries, so that the first is the oldest.
      const [oldest] = claims
      const ms = oldest === undefined ? 0 : Date.now() - oldest.now.getTime()
      result.observe(Math.max(0, ms) / 1000, { service })
    }
  })

/** Returns the set of the running calls of a service, whose oldest is exposed. */
export function watchClaims(service: string): Claims {
  const claims: Claims = new Set()
  running.set(service, claims)
  return claims
}

const BUS_PROBLEMS = ['permission', 'disconnect', 'error'] as const
type BusProblem = (typeof BUS_PROBLEMS)[number]
const busProblems = meter.createCounter('hub_bus_problems_total', {
  description: 'Problems of a connection to NATS: permission, disconnect or error',
})

/** Exposes the problems of a service's connection from zero on. */
export function tellBus(service: string): void {
  for (const kind of BUS_PROBLEMS) busProblems.add(0, { service, kind })
}

export function countBusProblem(service: string, kind: BusProblem): void {
  busProblems.add(1, { service, kind })
}

const recordDelay = durationsOf('hub_event_delay_seconds', 'Time from an event to the commit of a reaction to it', [
  'subject',
  'service',
  'outcome',
])

/** Records how long after an event a reaction to it was committed. */
export function countDelay(subject: string, service: string, happenedAt: string): void {
  recordDelay(Math.max(0, Date.now() - Date.parse(happenedAt)) / 1000, subject, service, 'done')
}

const switchesOf = new Map<string, () => readonly (readonly [name: string, on: boolean])[]>()
meter
  .createObservableGauge('hub_switch', { description: 'Whether a setting that is on or off is on' })
  .addCallback((result) => {
    for (const [service, read] of switchesOf)
      for (const [name, on] of read()) result.observe(Number(on), { service, name })
  })

/** Exposes the settings of a service that are on or off, as they are when the metrics are read. */
export function tellSwitches(service: string, declared: SettingGroup, settings: object): void {
  const values = settings as Readonly<Record<string, unknown>>
  switchesOf.set(service, () =>
    Object.entries(declared).flatMap(([key, { env }]) => {
      const value = values[key]
      return typeof value === 'boolean' ? [[env, value] as const] : []
    }),
  )
}

type SettingGroup = Readonly<Record<string, SettingDeclaration>>
