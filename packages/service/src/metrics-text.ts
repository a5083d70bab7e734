import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { prometheus } from './register-telemetry.ts'

/** Current metrics of the process in Prometheus text form. */
export async function metricsText(): Promise<string> {
  const { resourceMetrics } = await prometheus.collect()
  return new PrometheusSerializer('', false, undefined, true).serialize(resourceMetrics)
}
