import {
  context as otelContext,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  SpanKind,
} from '@opentelemetry/api'
import { traceparentOf } from '@svc/postgres'
import { durationsOf } from './durations.ts'
import { counterOf, gaugeOf } from './instruments.ts'
import './meters.ts'
import { rootIsTraced } from './tracing.ts'

const tracer = trace.getTracer('svc')

const recordRequest = durationsOf('hub_bus_request_duration_seconds', 'Handling time of a request over NATS', [
  'operation',
  'caller',
  'status',
])
const eventsTotal = counterOf('hub_events_total', 'Events processed, by outcome')
const droppedTotal = counterOf('hub_messages_dropped_total', 'Messages that are invalid or forged, by subject')

const ALARMS = [
  'consumer_missing',
  'stream_missing',
  'forged_message',
  'dead_letter',
  'stream_full',
  'stream_near_full',
  'schema_behind',
  'leg_money_out_while_off',
  'leg_unexplained',
  'leg_unsupported',
  'venue_changed',
  'venue_row_unknown',
] as const
type Alarm = (typeof ALARMS)[number]

const countAlarms = counterOf('hub_alarms_total', 'Alarms that need a person, by kind')

/** Exposes an alarm from 0 on for what it may be about: the first count of a series that was not there is no increase. */
export function beginAlarms(alarm: Alarm, subjects: readonly string[]): void {
  for (const subject of subjects) countAlarms({ alarm, subject }, 0)
}

export function countRequest(operation: string, caller: string, status: number, seconds: number): void {
  recordRequest(seconds, operation, caller, status)
}
export function countEvent(subject: string, outcome: 'done' | 'repeated' | 'failed'): void {
  eventsTotal({ subject, outcome })
}
export function countDropped(subject: string): void {
  droppedTotal({ subject })
}

/** Counts an alarm; the caller logs it with its facts. */
export function countAlarm(alarm: Alarm, subject: string): void {
  countAlarms({ alarm, subject })
}
const setStreamFill = gaugeOf(
  'hub_stream_fill_ratio',
  'Share of its room that a stream of events uses, by messages or bytes; it refuses events at 1',
  { keepSec: 180 },
)

/** Records the share of its room that a stream uses; null if nobody can read it. The leader reads it each minute. */
export function recordStreamFill(stream: string, ratio: number | null): void {
  setStreamFill({ stream }, ratio)
}
const countRedelivered = counterOf('hub_consumer_redelivered_total', 'Events that were delivered again, by subject')

/** Exposes the redeliveries of a consumed event from 0 on. */
export function beginRedeliveries(subject: string): void {
  countRedelivered({ subject }, 0)
}

export function countRedelivery(subject: string): void {
  countRedelivered({ subject })
}
const countBadSwitches = counterOf('hub_switch_file_invalid_total', 'Texts of switch files that could not be used')

/** Exposes the unusable texts of a switch from 0 on. */
export function beginBadSwitches(setting: string): void {
  countBadSwitches({ setting }, 0)
}

/** Counts a switch file whose text cannot be used. */
export function countBadSwitch(setting: string): void {
  countBadSwitches({ setting })
}

/** Returns the traceparent member for the head of a call, inside a sampled trace only. */
export function traceOf(span: Span | undefined): { trace?: string } {
  const traceparent = traceparentOf(span)
  return traceparent === undefined ? {} : { trace: traceparent }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent)
  if (match === null) return undefined
  const [, traceId = '', spanId = '', flags = '0'] = match
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

/**
 * Returns the context of a parent span in another process of the product; undefined if the text is not a sampled
 * traceparent.
 */
export function contextOf(traceparent: string | undefined): Context | undefined {
  const parent = spanContextOf(traceparent)
  if (parent === undefined || parent.traceFlags !== TraceFlags.SAMPLED) return undefined
  return trace.setSpanContext(otelContext.active(), parent)
}

/**
 * Starts the span of a request from outside; undefined unless the request is sampled. A `traceparent` from outside
 * neither causes a trace nor continues one: it is stored as a link, which can be found by its id.
 */
export function rootSpan(name: string, attributesOf: () => Attributes, foreign: string | undefined): Span | undefined {
  if (!rootIsTraced()) return undefined
  const link = spanContextOf(foreign)
  const links = link === undefined ? [] : [{ context: link }]
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, root: true, attributes: attributesOf(), links })
  return span.isRecording() ? span : undefined
}

/** Runs `work` inside a span if `parent` is a sampled context, otherwise without a span. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  parent: Context | undefined,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (parent === undefined) return work()
  const span = tracer.startSpan(name, { kind, attributes }, parent)
  try {
    return await otelContext.with(trace.setSpan(parent, span), work)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/**
 * Runs a call to another system, such as a chain or a venue, in a span of the running trace; without a trace, in none. Name
 * and attributes say what is asked, and never with which values or at which address.
 */
export function outSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const traced = trace.getActiveSpan()?.isRecording() === true
  return inSpan(name, SpanKind.CLIENT, traced ? otelContext.active() : undefined, attributes, work)
}

export { SpanKind }
