import type { JobDeclaration } from '@svc/contract'
import { gaugeOf } from './instruments.ts'
import type { ScheduledJob } from './scheduler.ts'

/** A value, or values by the value of a label; null for what is unknown. */
type Reading = number | null | Readonly<Record<string, number | null>>

/** A figure of a service that is read from its schema. Only the process that leads the schema exposes it. */
export interface Gauge {
  readonly description: string
  /** Name of the label of the values; required if `read` returns several. Its values must be few and known. */
  readonly label?: string
  readonly read: () => Promise<Reading> | Reading
}

/** Gauges by the name of their metric. */
export type Gauges = Readonly<Record<string, Gauge>>

/** Returns a reader that several gauges share: while it reads, all that ask wait for the same answer. */
export function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null
  return () =>
    (reading ??= read().finally(() => {
      reading = null
    }))
}

/** Returns the counted rows by their state, with 0 for each known state that has no row. */
export function countsByState(
  known: readonly string[],
  rows: readonly { readonly state: string; readonly count: number }[],
): Readonly<Record<string, number>> {
  return Object.fromEntries([
    ...known.map((state) => [state, 0] as const),
    ...rows.map(({ state, count }) => [state, count] as const),
  ])
}

const READ: JobDeclaration = {
  summary: 'Read the figures of the service for its metrics',
  everyMs: 30_000,
  max: 1,
  budgetSec: 20,
}

/** Gauges of a service while it runs. */
export interface OpenGauges {
  /** Reads all of them; null for a service without gauges. */
  readonly job: ScheduledJob | null
  /** Called when this process begins or ends to lead: what it read before is then unknown. */
  lead(leading: boolean): void
}

/** Returns the job that reads the gauges of a service. */
export function openGauges(gauges: Gauges): OpenGauges {
  const all = Object.entries(gauges).map(([name, { description, label, read }]) => {
    const set = gaugeOf(name, description)
    const seen = new Set<string>()
    const store = (reading: Reading) => {
      if (reading === null || typeof reading === 'number') return set({}, reading)
      for (const key of seen) if (!(key in reading)) set({ [label ?? 'kind']: key }, null)
      for (const [key, value] of Object.entries(reading)) {
        seen.add(key)
        set({ [label ?? 'kind']: key }, value)
      }
    }
    const forget = () => (label === undefined ? set({}, null) : store({}))
    return { read, store, forget }
  })
  let leads = false
  const run = async () => {
    const readings = await Promise.all(all.map(async ({ read, store }) => ({ store, reading: await read() })))
    // The lead may have ended meanwhile: what another process reads now would be exposed twice.
    if (leads) for (const { store, reading } of readings) store(reading)
    return { done: 0 }
  }
  return {
    job: all.length === 0 ? null : { name: 'gauges', declared: READ, run, quiet: true },
    lead: (leading) => {
      leads = leading
      if (!leading) for (const { forget } of all) forget()
    },
  }
}
