import { metrics } from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'

/** Collects when `/metrics` is asked for; it opens no port of its own. */
class OnDemandReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const reader = new OnDemandReader()

// When this module is loaded and not later: a meter made before its provider would count for ever into nothing.
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))

/** Current metrics of the process in Prometheus text form. */
export async function metricsText(): Promise<string> {
  const { PrometheusSerializer } = await import('@opentelemetry/exporter-prometheus')
  const { resourceMetrics } = await reader.collect()
  // Without `target_info`, which would carry the command line.
  return new PrometheusSerializer('', false, undefined, true).serialize(resourceMetrics)
}
