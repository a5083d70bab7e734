import type { JobDeclaration } from '@svc/contract'
import { Outage } from './errors.ts'
import { gaugeOf } from './instruments.ts'
import type { ScheduledJob } from './scheduler.ts'

/** A value with its labels. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number | null
}

/** A value, values by the value of one label, or values with several labels; null for what is unknown. */
type Reading = number | null | Readonly<Record<string, number | null>> | readonly Series[]

const isSeries = (reading: Reading): reading is readonly Series[] => Array.isArray(reading)

/** A figure of a service that is read from its schema. Only the process that leads the schema exposes it. */
export interface Gauge {
  readonly description: string
  /** Name of the label of the values; required if `read` returns values by one label. Values of labels must be few and known. */
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

/** Longest time that a reading may take; a value that was not read by then is not exposed. */
export const READ_MS = 6_000

/** Settles as the work does, or rejects with an outage after `ms`; the work itself goes on unheard. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Outage('timeout', `no figure within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Gauges of a service while it runs. */
export interface OpenGauges {
  /** Reads all of them; null for a service without gauges. */
  readonly job: ScheduledJob | null
  /** Called when this process begins or ends to lead: what it read before is then unknown. */
  lead(leading: boolean): void
}

/**
 * Returns the job that reads the gauges of a service. A gauge whose reading fails or takes longer than `readMs` is not
 * exposed until it is read again; the others are. The run then fails with the first of the failures.
 */
export function openGauges(gauges: Gauges, readMs: number = READ_MS): OpenGauges {
  const all = Object.entries(gauges).map(([name, { description, label, read }]) => {
    const set = gaugeOf(name, description)
    const seen = new Map<string, Series['labels']>()
    const store = (reading: Reading) => {
      if (reading === null || typeof reading === 'number') return set({}, reading)
      const series = isSeries(reading)
        ? reading
        : Object.entries(reading).map(([key, value]) => ({ labels: { [label ?? 'kind']: key }, value }))
      const read = new Map(series.map(({ labels }) => [JSON.stringify(labels), labels]))
      for (const [key, labels] of seen) if (!read.has(key)) set(labels, null)
      for (const { labels, value } of series) set(labels, value)
      for (const [key, labels] of read) seen.set(key, labels)
    }
    const forget = () => (label === undefined && seen.size === 0 ? set({}, null) : store([]))
    let reading: Promise<Reading> | null = null
    /** Reads once at a time: a reading that hangs is not joined by others. */
    const readOnce = async () => {
      if (reading !== null) throw new Outage('timeout', `the last reading of ${name} has not ended`)
      reading = Promise.resolve().then(read)
      const ended = () => {
        reading = null
      }
      reading.then(ended, ended)
      return within(readMs, reading)
    }
    return { readOnce, store, forget }
  })
  let leads = false
  const run = async () => {
    const readings = await Promise.allSettled(all.map(({ readOnce }) => readOnce()))
    // The lead may have ended meanwhile: what another process reads now would be exposed twice.
    if (!leads) return { done: 0 }
    for (const [at, reading] of readings.entries())
      if (reading.status === 'fulfilled') all[at]?.store(reading.value)
      else all[at]?.forget()
    for (const reading of readings) if (reading.status === 'rejected') throw reading.reason
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
