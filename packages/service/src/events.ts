import { consumerOf, streamOf, type Contract, type Event } from '@svc/contract'
import { jetstream, JetStreamApiError, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import {
  acceptEvent,
  forgetOutbox,
  lettersToReplay,
  noteFailure,
  takeOutbox,
  type OutboxRow,
  type Pool,
  type Tx,
} from '@svc/postgres'
import { headers } from '@nats-io/nats-core'
import { z } from 'zod'
import type { Bus } from './bus.ts'
import { isOutage, Outage } from './errors.ts'
import type { Log } from './log.ts'
import type { Job } from './scheduler.ts'
import { contextOf, countAlarm, countEvent, inSpan, SpanKind } from './telemetry.ts'

/** Wire form of an event. `id` is stable across redelivery; `seq` has no gaps within a service. */
const envelope = z.object({ id: z.string(), seq: z.number(), at: z.string(), payload: z.unknown() })
type Envelope = z.output<typeof envelope>

/** An event as a reaction receives it. */
export interface Delivered<P> {
  readonly id: string
  readonly seq: number
  readonly at: string
  readonly payload: P
}

/** What a service does about an event of another. `P` is the event's payload, `R` what `prepare` returns. */
export interface Reaction<P = never, R = never> {
  /** Asks other services, outside any transaction. May run several times for one event, so it writes nothing. */
  readonly prepare?: (event: Delivered<P>) => Promise<unknown>
  /** Writes the effect. Commits together with the inbox row, so it takes effect exactly once. */
  readonly apply: (tx: Tx, event: Delivered<P>, prepared: R) => Promise<void>
}

/** The members of a service's context that `apply` may use: none of them asks another service or takes a connection. */
export type Local<C, K extends Exclude<keyof C, 'pool' | 'clients'>> = Pick<C, K>

/** A reaction that waits for the service's context `C`; `L` is its `Local` part. */
export interface BoundReaction<C, L, P = never, R = void> {
  readonly prepare?: (context: C) => (event: Delivered<P>) => Promise<R>
  readonly apply: (context: L) => (tx: Tx, event: Delivered<P>, prepared: R) => Promise<void>
}

/** The reactions of a service, by `<service>.<event>`. */
export type Reactions<C, L> = Readonly<
  Record<
    string,
    {
      readonly prepare?: (context: C) => (event: Delivered<never>) => Promise<unknown>
      readonly apply: (context: L) => Reaction['apply']
    }
  >
>

/** Binds each reaction of an explicit list to the context. */
export function bindReactions<C extends L, L>(list: Reactions<C, L>, context: C): Record<string, Reaction> {
  return Object.fromEntries(
    Object.entries(list).map(([key, { prepare, apply }]): [string, Reaction] => [
      key,
      { apply: apply(context), ...(prepare === undefined ? {} : { prepare: prepare(context) }) },
    ]),
  )
}

const RELAY_BATCH = 200
const RETRY_MS = [50, 250, 1_000, 5_000, 15_000, 30_000] as const
const pauseMs = (times: number): number => RETRY_MS[Math.min(times, RETRY_MS.length) - 1] ?? 30_000

/**
 * Publishes a schema's outbox in order until nothing waits. The leader of the schema runs it; a row is forgotten only
 * after the stream acknowledged it, and its id lets the stream drop repeats. A full stream refuses events: they wait,
 * and go one by one until it has room again, so that none overtakes another.
 */
export function relayOutbox({ pool, bus, service, log }: { pool: Pool; bus: Bus; service: string; log: Log }): Job {
  const js = jetstream(bus.connection, { timeout: 5_000 })
  let refused = false
  const publish = async (row: OutboxRow) => {
    const id = `${service}-${row.id}`
    const hdrs = headers()
    hdrs.set('Nats-Msg-Id', id)
    if (row.traceparent !== null) hdrs.set('traceparent', row.traceparent)
    const text = JSON.stringify({ id, seq: row.seq, at: row.created_at, payload: row.payload })
    try {
      await js.publish(row.subject, text, { headers: hdrs })
    } catch (error) {
      if (error instanceof JetStreamApiError && !refused) {
        refused = true
        countAlarm('stream_full', row.subject)
        log.error({ alarm: 'stream_full', err: error, subject: row.subject }, 'the stream refuses events; they wait')
      }
      throw new Outage('nats', 'an event was not acknowledged', { cause: error })
    }
  }
  return async (signal) => {
    let done = 0
    while (!signal.aborted) {
      const rows = await takeOutbox(pool, refused ? 1 : RELAY_BATCH)
      if (rows.length === 0) break
      await Promise.all(rows.map(publish))
      await forgetOutbox(
        pool,
        rows.map((row) => row.id),
      )
      refused = false
      done += rows.length
    }
    return { done }
  }
}

/** Runs again what a person has told to replay of the dead letters of a service, each event once. */
export function replayLetters(pool: Pool, reactors: ReadonlyMap<string, Reactor>, max: number): Job {
  return async () => {
    const letters = await lettersToReplay(pool, max)
    for (const { subject, envelope: letter } of letters) await reactors.get(subject)?.replay(letter)
    return { done: letters.length }
  }
}

/** The envelope of an event; null when the message is not a valid event. */
function envelopeOf(message: JsMsg): Envelope | null {
  try {
    return envelope.parse(message.json())
  } catch {
    return null
  }
}

/** Stream and consumer from which a message was delivered; null when JetStream did not deliver it. */
function originOf(message: JsMsg): { readonly stream: string; readonly consumer: string } | null {
  try {
    return message.info
  } catch {
    return null
  }
}

/** Tries of an event that fail for another reason than an outage; after the last one it is a dead letter. */
export const TRIES_MAX = 5

export interface Reactor {
  /** Tries a dead letter once more. */
  replay(envelope: unknown): Promise<void>
  stop(): Promise<void>
}

/**
 * Delivers one event type to one reaction: the inbox row and the reaction's writes commit together, so each event takes
 * effect exactly once however often it is delivered. An outage is waited for however long it lasts; an event that fails
 * otherwise `TRIES_MAX` times becomes a dead letter, and the events behind it go on.
 */
export function react(options: {
  pool: Pool
  bus: Bus
  service: string
  event: Event
  reaction: Reaction
  log: Log
  wake: () => void
}): Reactor {
  const { pool, bus, service, event, reaction, log } = options
  const js = jetstream(bus.connection, { timeout: 5_000 })
  const stream = streamOf(event.service)
  const durable = consumerOf(service, event.key)
  let messages: ConsumerMessages | undefined
  let stopped = false

  const process = ({ id, seq, at, payload }: Envelope, traceparent?: string) =>
    inSpan(
      `process ${event.subject}`,
      SpanKind.CONSUMER,
      contextOf(traceparent),
      {
        'messaging.system': 'nats',
        'messaging.operation.type': 'process',
        'messaging.destination.name': event.subject,
        'messaging.consumer.group.name': service,
      },
      async () => {
        const happened = { id, seq, at, payload: event.payload.parse(payload) as never }
        // No transaction is open while others are asked: a slow answer holds neither lock nor connection.
        const prepared = await reaction.prepare?.(happened)
        return pool.transaction(async (tx) => {
          if (!(await acceptEvent(tx, id))) return false
          await reaction.apply(tx, happened, prepared as never)
          return true
        })
      },
    )

  /** Tries an event. Returns after how many milliseconds it is to come again, or null when it is done with. */
  const attempt = async (told: Envelope, deliveries: number, traceparent?: string): Promise<number | null> => {
    const facts = { subject: event.subject, event_id: told.id }
    try {
      const fresh = await process(told, traceparent)
      if (fresh) options.wake()
      countEvent(event.subject, fresh ? 'done' : 'repeated')
      return null
    } catch (error) {
      countEvent(event.subject, 'failed')
      if (isOutage(error)) {
        log.warn({ ...facts, err: error }, 'a dependency is away; the event will be delivered again')
        return pauseMs(deliveries)
      }
      const name = error instanceof Error ? error.name : 'unknown'
      const failed = { id: told.id, subject: event.subject, envelope: told, error: name }
      const { tries, dead } = await noteFailure(pool, failed, TRIES_MAX)
      if (!dead) {
        log.warn({ ...facts, err: error, tries }, 'event failed and will be delivered again')
        return pauseMs(tries)
      }
      countAlarm('dead_letter', event.subject)
      log.error({ ...facts, alarm: 'dead_letter', err: error, tries }, 'event failed too often: it is a dead letter')
      return null
    }
  }

  const take = async (message: JsMsg) => {
    const origin = originOf(message)
    const isOurs = origin?.stream === stream && origin.consumer === durable
    const told = isOurs && message.subject === event.subject ? envelopeOf(message) : null
    if (told === null) {
      // No relay wrote it. What another consumer delivered here is not ours to end; our own would take up a place for ever.
      countAlarm('forged_message', event.subject)
      log.error({ alarm: 'forged_message', subject: event.subject, origin }, 'message is not a valid event')
      if (isOurs) message.term()
      return
    }
    const deliveries = message.info.deliveryCount
    try {
      const pause = await attempt(told, deliveries, message.headers?.get('traceparent'))
      if (pause === null) message.ack()
      else message.nak(pause)
    } catch (error) {
      log.warn(
        { err: error, subject: event.subject },
        'a failure could not be counted; the event will be delivered again',
      )
      message.nak(pauseMs(deliveries))
    }
  }

  const running = (async () => {
    while (!stopped) {
      try {
        const consumer = await js.consumers.get(stream, durable)
        messages = await consumer.consume({ max_messages: 50 })
        for await (const message of messages) await take(message)
      } catch (error) {
        const missing = error instanceof JetStreamApiError
        if (!stopped) log.warn({ err: error, subject: event.subject, missing }, 'event consumer will try again')
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })()
  return {
    replay: async (letter) => void (await attempt(envelope.parse(letter), 1)),
    stop: async () => {
      stopped = true
      messages?.stop()
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
    },
  }
}

/** Streams and durable consumers that a set of contracts needs; creating them is the provisioner's task alone. */
export function topology(contracts: readonly Contract[]): {
  streams: { name: string; subjects: string[] }[]
  consumers: { stream: string; durable: string; subject: string }[]
} {
  const known = new Map(
    contracts.flatMap((contract) =>
      Object.values(contract.events as Record<string, Event>).map((event) => [`${event.service}.${event.key}`, event]),
    ),
  )
  return {
    streams: contracts
      .filter((contract) => Object.keys(contract.events).length > 0)
      .map((contract) => ({ name: streamOf(contract.name), subjects: [`evt.${contract.name}.>`] })),
    consumers: contracts.flatMap((contract) =>
      contract.consumes.map((name) => {
        const event = known.get(name)
        if (event === undefined) throw new Error(`${contract.name} consumes ${name}, which no contract declares`)
        return {
          stream: streamOf(event.service),
          durable: consumerOf(contract.name, event.key),
          subject: event.subject,
        }
      }),
    ),
  }
}
