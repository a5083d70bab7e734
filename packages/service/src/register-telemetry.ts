/**
 * Loaded with `--import` (or called once by a process that hosts several services): sends sampled
 * traces to `SVC_OTLP_URL` and collects metrics for `/metrics`. Services never read these settings.
 */
import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { traceRoots } from './root-traces.ts'

const url = process.env['SVC_OTLP_URL']
const resource = resourceFromAttributes({ 'service.name': process.env['SVC_NAME'] ?? 'platform' })

traceRoots(Number(process.env['SVC_TRACE_RATIO'] ?? '0.01'))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
export const tracerProvider = new TracerProvider({
  resource,
  // Roots are drawn by `rootIsTraced`, and only the edge starts any.
  sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  spanProcessors:
    url === undefined ? [] : [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${url}/v1/traces` }) })],
})
trace.setGlobalTracerProvider(tracerProvider)

/** Collects what `/metrics` prints; it opens no port of its own. */
export const prometheus = new PrometheusExporter({ preventServerStart: true, withoutTargetInfo: true })
metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [prometheus] }))
