import { metrics } from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { durations } from './durations.ts'

/** Collects metrics when `/metrics` is read, without a port. */
class OnDemandReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const reader = new OnDemandReader({ metricProducers: [durations] })

// Set when this module is loaded: a meter that was created before its provider would record nothing.
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))

/** A line of a value that is not known now. The SDK repeats what it has seen once, and cannot leave a series out. */
const UNKNOWN = /^.* NaN\n/gm

/** Returns the current metrics of the process in Prometheus text form, without the series whose value is not known. */
export async function metricsText(): Promise<string> {
  const { PrometheusSerializer } = await import('@opentelemetry/exporter-prometheus')
  const { resourceMetrics } = await reader.collect()
  // Leaves out `target_info`, which would contain the command line.
  return new PrometheusSerializer('', false, undefined, true).serialize(resourceMetrics).replaceAll(UNKNOWN, '')
}
