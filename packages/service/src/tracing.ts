import { setTimeout as delay } from 'node:timers/promises'
import { context, trace } from '@opentelemetry/api'

export interface TracingOptions {
  /** Name of the process in traces. */
  readonly service: string
  readonly version: string
  /** Collector of traces; null: no span is ever made. */
  readonly otlpUrl: string | null
  /** Share of the requests from outside that are traced, 0 to 1. */
  readonly traceRatio: number
}

const FLUSH_MS = 2_000

let share = 0
let flush: (() => Promise<void>) | null = null

/**
 * Begins to send spans to the collector, once a process: the first caller that names a collector wins. The SDK is
 * loaded only then (docs/adr/0018).
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
    // Roots are drawn by `rootIsTraced`, and only the edge starts any.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  share = traceRatio
  flush = () => provider.forceFlush()
}

/** Sends the spans that are ready, for at most two seconds; a collector that is away must not keep a process alive. */
export async function flushTracing(): Promise<void> {
  if (flush === null) return
  const late = delay(FLUSH_MS, undefined, { ref: false })
  await Promise.race([flush().catch(() => {}), late])
}

/**
 * Whether a request from outside is to be traced. Asked before its span is made: the SDK would make one, with an id of
 * its own, for each of those that it then leaves out.
 */
export function rootIsTraced(): boolean {
  return Math.random() < share
}
