import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core'
import { z } from 'zod'
import type { Log } from './log.ts'
import { countDropped } from './telemetry.ts'

/** Junk may come in floods; the counter has every message, the log says so this often. */
const LOG_EVERY_MS = 1_000

/** What somebody who only listens reads of an event. */
const heard = z.looseObject({ payload: z.looseObject({}) })

/**
 * Calls `handle` for each message on a subject. A message that makes it throw is counted and dropped: the client library
 * would end its read loop, and with it every other subscription of the connection.
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
    log.warn({ err: error, subject }, 'message dropped: it cannot be read')
  }
  return connection.subscribe(subject, {
    ...(queue === undefined ? {} : { queue }),
    callback: (error, message) => {
      if (error !== null) return log.error({ err: error, subject }, 'nats refused the subscription')
      try {
        handle(message)
      } catch (failure) {
        dropped(failure)
      }
    },
  })
}

/** Calls `handle` with the payload of each event on a subject, which may end in `>`; drops what is not an event. */
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
