import { setTimeout as delay } from 'node:timers/promises'
import { consumerOf, streamOf, type Event } from '@svc/contract'
import { jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import { acceptEvent, noteFailure, type Patience, type Pool } from '@svc/postgres'
import { z } from 'zod'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { errorFacts } from './error-facts.ts'
import { isOutage } from './errors.ts'
import type { Reaction } from './events.ts'
import type { Log } from './log.ts'
import { countDelay } from './metrics.ts'
import {
  beginAlarms,
  beginRedeliveries,
  contextOf,
  countAlarm,
  countEvent,
  countRedelivery,
  inSpan,
  SpanKind,
} from './telemetry.ts'

/** Wire form of an event. `id` is stable across redelivery; `seq` has no gaps within a service. */
const envelope = z.object({ id: z.string(), seq: z.number(), at: z.string(), payload: z.unknown() })
type Envelope = z.output<typeof envelope>

/**
 * Maximum attempts to process an event that fails for another reason than an outage; after the last one it becomes a
 * dead letter.
 */
const TRIES_MAX = 5
const MINUTE_MS = 60_000
/** After that an event of money is tried again at these distances, the last one for as long as it takes. */
const RETRY_MONEY_AFTER_MS = [1, 5, 30, 60].map((minutes) => minutes * MINUTE_MS)
const RETRY_MS = [50, 250, 1_000, 5_000, 15_000, 30_000] as const
const pauseMs = (times: number): number => RETRY_MS[Math.min(times, RETRY_MS.length) - 1] ?? 30_000
/** Pause before a consumer that ended is opened again. */
const REOPEN_MS = 500
/** Maximum time that a stop waits for the running reaction. */
const STOP_MS = 2_000

export interface Reactor {
  /** Whether events of its consumer reach this process: false once the consumer was deleted. */
  bound(): boolean
  /** Processes a dead letter once more; false if a dependency is down, and the letter stays due. */
  replay(envelope: unknown): Promise<boolean>
  stop(): Promise<void>
}

interface Reacting {
  readonly pool: Pool
  readonly bus: Bus
  readonly service: string
  readonly event: Event
  readonly reaction: Reaction
  readonly clock: Clock
  readonly log: Log
  /** Called after each committed effect. */
  readonly wake: () => void
  /** Called when events no longer reach this process, and when they do again. */
  readonly changed: () => void
}

/**
 * How often an idle consumer says that it is there. After two silent times the client asks again, so that events go on when the node
 * that led their consumer has ended. The library waits five times as long.
 */
const HEARTBEAT_MS = 3_000

/**
 * Delivers one event type to one reaction. The inbox row and the writes of the reaction commit together, so each event
 * takes effect exactly once, however often it is delivered. During an outage an event waits, however long. An event
 * that fails `TRIES_MAX` times for another reason becomes a dead letter, and later events continue: no consumer may rely on
 * the order in which events take effect. Those of money are tried again from there.
 */
export function react(reacting: Reacting): Reactor {
  const { bus, service, event, log } = reacting
  const js = jetstream(bus.connection, { apiPrefix: bus.streamsApi, timeout: 5_000 })
  const origin: Origin = { stream: streamOf(event.service), consumer: consumerOf(service, event.key) }
  for (const alarm of ['forged_message', 'dead_letter'] as const) beginAlarms(alarm, [event.subject])
  beginRedeliveries(event.subject)
  let messages: ConsumerMessages | undefined
  let stopped = false
  let bound = false
  /** The failure that was logged last: one that lasts is logged once. */
  let logged = ''
  const bind = (now: boolean) => {
    if (bound === now) return
    bound = now
    if (!stopped) reacting.changed()
  }
  const consume = async () => {
    while (!stopped) {
      try {
        const consumer = await js.consumers.get(origin.stream, origin.consumer)
        // Without the last option the client would go on asking for the events of a consumer that is gone.
        const options = { max_messages: 50, idle_heartbeat: HEARTBEAT_MS, abort_on_missing_resource: true }
        messages = await consumer.consume(options)
        bind(true)
        logged = ''
        for await (const message of messages) await handle(reacting, origin, message)
      } catch (error) {
        if (!stopped && logged !== String(error))
          log.warn({ err: error, subject: event.subject }, 'event consumer will try again')
        logged = String(error)
      }
      bind(false)
      if (!stopped) await delay(REOPEN_MS)
    }
  }
  const running = consume()
  return {
    bound: () => bound,
    replay: async (letter) => (await attempt(reacting, envelope.parse(letter), 1)) === null,
    stop: async () => {
      stopped = true
      messages?.stop()
      await Promise.race([running, delay(STOP_MS, undefined, { ref: false })])
    },
  }
}

interface Origin {
  readonly stream: string
  readonly consumer: string
}

/** Processes the event of a message, then acknowledges the message or requests redelivery. */
async function handle(reacting: Reacting, expected: Origin, message: JsMsg): Promise<void> {
  const { event, log } = reacting
  const origin = originOf(message)
  const isOurs = origin?.stream === expected.stream && origin.consumer === expected.consumer
  const received = isOurs && message.subject === event.subject ? envelopeOf(message) : null
  if (received === null) {
    // No relay wrote this message. If another consumer delivered it, this service must not acknowledge it; if its own
    // consumer did, the message would be redelivered forever.
    countAlarm('forged_message', event.subject)
    log.error({ alarm: 'forged_message', subject: event.subject, origin }, 'message is not a valid event')
    if (isOurs) message.term()
    return
  }
  const deliveries = message.info.deliveryCount
  if (deliveries > 1) countRedelivery(event.subject)
  try {
    const pause = await attempt(reacting, received, deliveries, message.headers?.get('traceparent'))
    if (pause === null) message.ack()
    else message.nak(pause)
  } catch (error) {
    const facts = { err: error, subject: event.subject }
    log.warn(facts, 'a failure could not be counted; the event will be redelivered')
    message.nak(pauseMs(deliveries))
  }
}

/** Processes an event. Returns the milliseconds until redelivery; null if the event is finished. */
async function attempt(
  reacting: Reacting,
  received: Envelope,
  deliveries: number,
  traceparent?: string,
): Promise<number | null> {
  const { event, log, wake } = reacting
  const facts = { subject: event.subject, event_id: received.id }
  try {
    const fresh = await takeEffect(reacting, received, traceparent)
    if (fresh) {
      countDelay(event.subject, reacting.service, received.at)
      wake()
    }
    countEvent(event.subject, fresh ? 'done' : 'repeated')
    return null
  } catch (error) {
    countEvent(event.subject, 'failed')
    if (isOutage(error)) {
      log.warn({ ...facts, err: error }, 'a dependency is down; the event will be redelivered')
      return pauseMs(deliveries)
    }
    const failure = errorFacts(error)
    const failed = { id: received.id, subject: event.subject, envelope: received, error: failure.type, failure }
    const { tries, dead } = await noteFailure(reacting.pool, failed, patienceWith(event), reacting.clock.now())
    if (!dead) {
      log.warn({ ...facts, err: error, tries }, 'event failed and will be redelivered')
      return pauseMs(tries)
    }
    countAlarm('dead_letter', event.subject)
    log.error({ ...facts, alarm: 'dead_letter', err: error, tries }, 'event failed too often: it is a dead letter')
    return null
  }
}

const patienceWith = ({ money }: Event): Patience => ({
  triesMax: TRIES_MAX,
  retryAfterMs: money === true ? RETRY_MONEY_AFTER_MS : [],
})

/** Prepares and applies the reaction in a span; returns false if the event took effect before. */
function takeEffect(
  { pool, service, event, reaction }: Reacting,
  { id, seq, at, payload }: Envelope,
  traceparent?: string,
): Promise<boolean> {
  const attributes = {
    'messaging.system': 'nats',
    'messaging.operation.type': 'process',
    'messaging.destination.name': event.subject,
    'messaging.consumer.group.name': service,
  }
  return inSpan(`process ${event.subject}`, SpanKind.CONSUMER, contextOf(traceparent), attributes, async () => {
    const happened = { id, seq, at, payload: event.payload.parse(payload) as never }
    // No transaction is open while other services are called: a slow answer keeps neither a lock nor a connection.
    const prepared = await reaction.prepare?.(happened)
    return pool.transaction(async (tx) => {
      if (!(await acceptEvent(tx, id))) return false
      await reaction.apply(tx, happened, prepared as never)
      return true
    })
  })
}

/** Returns the envelope of an event; null if the message is not a valid event. */
function envelopeOf(message: JsMsg): Envelope | null {
  try {
    return envelope.parse(message.json())
  } catch {
    return null
  }
}

/** Returns the stream and consumer that delivered a message; null if JetStream did not deliver it. */
function originOf(message: JsMsg): Origin | null {
  try {
    return message.info
  } catch {
    return null
  }
}
