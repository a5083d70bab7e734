import { metrics } from '@opentelemetry/api'
import './meters.ts'

const meter = metrics.getMeter('svc')

type Labels = Readonly<Record<string, string>>

/**
 * Creates a counter and returns the function that counts one. `known` are labels that are exposed from the start, with 0:
 * the first count of others is no increase for an alert. A label must have few values: never an id or an address.
 */
export function counterOf(name: string, description: string, known: readonly Labels[] = []): (labels?: Labels) => void {
  const counter = meter.createCounter(name, { description })
  for (const labels of known) counter.add(0, labels)
  return (labels = {}) => counter.add(1, labels)
}

/**
 * Creates a gauge whose value is the greatest of what its readers return when the metrics are read, and returns the function
 * that adds a reader; that one returns how to remove it.
 */
export function greatestOf(name: string, description: string): (read: () => number) => () => void {
  const readers = new Set<() => number>()
  meter.createObservableGauge(name, { description }).addCallback((result) => {
    if (readers.size > 0) result.observe(Math.max(...[...readers].map((read) => read())))
  })
  return (read) => {
    readers.add(read)
    return () => void readers.delete(read)
  }
}

type Setter = (labels: Labels, value: number | null) => void

const setters = new Map<string, Setter>()

/**
 * Returns the setter of a gauge; the same one for the same name. A value of null is not exposed: it is kept as NaN, which
 * `metricsText` leaves out.
 */
export function gaugeOf(name: string, description: string): Setter {
  const known = setters.get(name)
  if (known !== undefined) return known
  const values = new Map<string, readonly [Labels, number]>()
  const set: Setter = (labels, value) => void values.set(JSON.stringify(labels), [labels, value ?? Number.NaN])
  meter.createObservableGauge(name, { description }).addCallback((result) => {
    for (const [labels, value] of values.values()) result.observe(value, labels)
  })
  setters.set(name, set)
  return set
}

/** Returns an element of labels for each value of one label. */
export const eachOf = <K extends string>(label: K, values: readonly string[]): readonly Record<K, string>[] =>
  values.map((value) => ({ [label]: value }) as Record<K, string>)
