import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core'
import { z } from 'zod'
import type { Log } from './log.ts'
import { countDropped } from './telemetry.ts'

/** Minimum time between two log entries about dropped messages, which may be many; the counter counts every message. */
const LOG_EVERY_MS = 1_000

/** Parts of an event that a listener reads. */
const heard = z.looseObject({ payload: z.looseObject({}) })

/**
 * Calls `handle` for each message on a subject. Counts and drops a message for which it throws: an exception would end
 * the read loop of the client library, and with it every other subscription of the connection.
 */
export function listen(
  connection: NatsConnection,
  subject: string,
  log: Log,
  handle: (message: Msg) => void,
  queue?: string,
): Subscription {
  let lastLog = 0
  const dropped = (error: unknown) => {
    countDropped(subject)
    if (Date.now() - lastLog < LOG_EVERY_MS) return
    lastLog = Date.now()
    log.warn({ err: error, subject }, 'message dropped: it is unreadable')
  }
  return connection.subscribe(subject, {
    ...(queue === undefined ? {} : { queue }),
    callback: (error, message) => {
      if (error !== null) return log.error({ err: error, subject }, 'NATS rejected the subscription')
      try {
        handle(message)
      } catch (failure) {
        dropped(failure)
      }
    },
  })
}

/**
 * Calls `handle` with the payload of each event on a subject, which may end in `>`. Drops messages that are not valid
 * events.
 */
export function listenForEvents(
  connection: NatsConnection,
  subject: string,
  log: Log,
  handle: (payload: Readonly<Record<string, unknown>>, event: string) => void,
): Subscription {
  return listen(connection, subject, log, (message) =>
    handle(heard.parse(message.json()).payload, message.subject.split('.')[2] ?? ''),
  )
}
