import { TraceFlags, type Span } from '@opentelemetry/api'

/** Returns the W3C traceparent of a span; undefined unless its trace is sampled. */
export function traceparentOf(span: Span | undefined): string | undefined {
  const context = span?.spanContext()
  if (context === undefined || (context.traceFlags & TraceFlags.SAMPLED) === 0) return undefined
  return `00-${context.traceId}-${context.spanId}-01`
}
