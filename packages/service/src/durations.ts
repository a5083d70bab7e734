import { ValueType } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData, type MetricProducer } from '@opentelemetry/sdk-metrics'

type Label = string | number

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10]
/** Maximum combinations of labels of a histogram; what would need a further one is counted as overflow. */
const CELLS_MAX = 2_000
const OVERFLOW = { 'otel.metric.overflow': true }

/** What one combination of labels has counted since the start of the process. */
class Cell {
  readonly attributes: Readonly<Record<string, Label | boolean>>
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0
  count = 0
  constructor(attributes: Cell['attributes'], bounds: readonly number[] = BOUNDS) {
    this.attributes = attributes
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }
  add(seconds: number): void {
    const { bounds } = this
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.sum += seconds
    this.count += 1
  }
}

const started = Date.now()
const histograms: { readonly name: string; readonly description: string; readonly cells: readonly Cell[] }[] = []

/**
 * Creates a histogram of durations with three labels, and returns the function that records one. OpenTelemetry's own
 * instrument sorts and prints the labels of every record, which costs a request more than all its other counters.
 */
export function durationsOf(name: string, description: string, labels: readonly [string, string, string]) {
  const cells: Cell[] = []
  const byLabels = new Map<Label, Map<Label, Map<Label, Cell>>>()
  let overflow: Cell | null = null
  histograms.push({ name, description, cells })
  const open = (attributes: Cell['attributes']) => {
    const cell = new Cell(attributes)
    cells.push(cell)
    return cell
  }
  const newCell = (values: readonly [Label, Label, Label]): Cell => {
    if (cells.length >= CELLS_MAX) return (overflow ??= open(OVERFLOW))
    const [first, second, third] = values
    const cell = open(Object.fromEntries(labels.map((label, at) => [label, values[at] as Label])))
    const ofFirst = byLabels.get(first) ?? new Map<Label, Map<Label, Cell>>()
    const ofSecond = ofFirst.get(second) ?? new Map<Label, Cell>()
    byLabels.set(first, ofFirst.set(second, ofSecond.set(third, cell)))
    return cell
  }
  return (seconds: number, first: Label, second: Label, third: Label): void =>
    (byLabels.get(first)?.get(second)?.get(third) ?? newCell([first, second, third])).add(seconds)
}

/**
 * Creates a histogram of seconds without labels, and returns the function that records one. It is exposed from the start,
 * with 0 in every bucket.
 */
export function secondsOf(name: string, description: string, bounds: readonly number[]): (seconds: number) => void {
  const cell = new Cell({}, bounds)
  histograms.push({ name, description, cells: [cell] })
  return (seconds) => cell.add(seconds)
}

/** Gives the histograms of durations to the reader of metrics. */
export const durations: MetricProducer = {
  collect: async () => {
    const startTime = hrTimeOf(started)
    const endTime = hrTimeOf(Date.now())
    const metrics = histograms.map(({ name, description, cells }): MetricData => ({
      descriptor: { name, description, unit: 's', valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: cells.map(({ attributes, bounds, counts, sum, count }) => ({
        attributes,
        startTime,
        endTime,
        value: { buckets: { boundaries: [...bounds], counts }, sum, count },
      })),
    }))
    return {
      resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'svc' }, metrics }] },
      errors: [],
    }
  },
}

const hrTimeOf = (ms: number): [number, number] => [Math.floor(ms / 1_000), (ms % 1_000) * 1e6]
