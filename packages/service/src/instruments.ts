import { metrics } from '@opentelemetry/api'
import './meters.ts'

const meter = metrics.getMeter('svc')

type Labels = Readonly<Record<string, string>>

/**
 * Creates a counter and returns the function that counts one, or 0 to expose labels that become known later. `known` are labels that are exposed from the start, with 0:
 * the first count of others is no increase for an alert. A label must have few values: never an id or an address.
 */
export function counterOf(
  name: string,
  description: string,
  known: readonly Labels[] = [],
): (labels?: Labels, by?: 0 | 1) => void {
  const counter = meter.createCounter(name, { description })
  for (const labels of known) counter.add(0, labels)
  return (labels = {}, by = 1) => counter.add(by, labels)
}

type Setter = (labels: Labels, value: number | null) => void

const setters = new Map<string, Setter>()

/** How long a value of a gauge is exposed after it was set. `now` is a clock in milliseconds. */
interface Keeping {
  readonly keepSec?: number
  readonly now?: () => number
}

/**
 * Returns the setter of a gauge; the same one for the same name. A value of null is not exposed, and neither is one that was
 * set more than `keepSec` ago (default: no bound), because nobody reads its source any longer: it is kept as NaN, which
 * `metricsText` leaves out.
 */
export function gaugeOf(
  name: string,
  description: string,
  { keepSec = Infinity, now = () => performance.now() }: Keeping = {},
): Setter {
  const known = setters.get(name)
  if (known !== undefined) return known
  const values = new Map<string, { readonly labels: Labels; readonly value: number; readonly at: number }>()
  const set: Setter = (labels, value) =>
    void values.set(JSON.stringify(labels), { labels, value: value ?? Number.NaN, at: now() })
  meter.createObservableGauge(name, { description }).addCallback((result) => {
    for (const { labels, value, at } of values.values())
      result.observe(now() - at > keepSec * 1000 ? Number.NaN : value, labels)
  })
  setters.set(name, set)
  return set
}

/** Returns an element of labels for each value of one label. */
export const eachOf = <K extends string>(label: K, values: readonly string[]): readonly Record<K, string>[] =>
  values.map((value) => ({ [label]: value }) as Record<K, string>)
