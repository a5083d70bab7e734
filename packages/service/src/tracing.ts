import { setTimeout as delay } from 'node:timers/promises'
import { context, trace } from '@opentelemetry/api'

export interface TracingOptions {
  /** Name of the process in traces. */
  readonly service: string
  readonly version: string
  /** Address of the trace collector; null: no spans are made. */
  readonly otlpUrl: string | null
  /** Share of the requests from outside that are traced, 0 to 1. */
  readonly traceRatio: number
}

const FLUSH_MS = 2_000

let share = 0
let flush: (() => Promise<void>) | null = null

/**
 * Starts sending spans to the collector, once per process: the first call with a collector decides. The SDK is loaded
 * only then (docs/adr/0018).
 */
export async function startTracing({ service, version, otlpUrl, traceRatio }: TracingOptions): Promise<void> {
  if (otlpUrl === null || flush !== null) return
  flush = async () => {}
  const [{ AsyncLocalStorageContextManager }, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] =
    await Promise.all([
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ])
  const url = `${otlpUrl.replace(/\/$/, '')}/v1/traces`
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    // `rootIsTraced` samples the roots, and only the edge starts roots.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  share = traceRatio
  flush = () => provider.forceFlush()
}

/** Sends the finished spans, for at most two seconds: an unavailable collector must not keep a process alive. */
export async function flushTracing(): Promise<void> {
  if (flush === null) return
  const late = delay(FLUSH_MS, undefined, { ref: false })
  await Promise.race([flush().catch(() => {}), late])
}

/**
 * Decides at random whether to trace a request from outside. Call it before making the span: the SDK would create a
 * span with an id even for a request that it does not sample.
 */
export function rootIsTraced(): boolean {
  return Math.random() < share
}
