import { randomBytes } from 'node:crypto'
import { nkeyAuthenticator, type Msg, type NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import { Outage } from './errors.ts'
import { listen } from './listen.ts'
import type { Log } from './log.ts'
import { patiently } from './patiently.ts'
import { createSeats } from './seats.ts'
import { countAlarm } from './telemetry.ts'

interface Waiting {
  readonly resolve: (data: Uint8Array) => void
  readonly reject: (error: Outage) => void
  readonly deadline: number
  /** Begin of the subject on which the answer comes. */
  readonly answersTo: string
}

/** Longest a caller waits for a responder to appear: such a request was never delivered, so trying again is safe. */
const NO_RESPONDER_WINDOW_MS = 3_000
const SWEEP_MS = 50
const CONNECT_MS = 20_000

/** Where the answers to a service's requests go; NATS lets nobody else listen there. */
export const inboxOf = (service: string): string => `_INBOX_${service}`

/**
 * Where JetStream answers a service and delivers its events; no other service ever sees such a subject. Not where the
 * answers to requests go: those subjects are shown to whoever is asked.
 */
export const eventInboxOf = (service: string): string => `_EVENTS_${service}`

/** A part of a subject that nobody can guess. The library's own are counted up from one that others may know. */
const secretToken = () => randomBytes(16).toString('hex')

/** A service's connection to NATS. */
export interface Bus {
  readonly connection: NatsConnection
  /**
   * Sends `data` to a subject `rpc.…` and resolves with the reply's bytes; rejects with `Outage` after `deadline` or
   * when nobody answers.
   */
  request(subject: string, data: Uint8Array, deadline: number): Promise<Uint8Array>
  /** Answers requests on a subject as one of a queue group. */
  respond(
    subject: string,
    queue: string,
    handle: (message: Msg) => Promise<Uint8Array>,
  ): { drain(): Promise<void>; readonly inFlight: () => number }
  connected(): boolean
  close(): Promise<void>
}

/**
 * Connects to NATS under a service's name and nkey. Requests share one inbox subscription, and
 * everything sent within one turn of the event loop leaves in a single socket write.
 */
export async function openBus(options: {
  readonly url: string
  readonly name: string
  readonly seed: string | null
  readonly log: Log
  /** How long to wait for a server that is not up yet; a minute when left out. */
  readonly patienceMs?: number
}): Promise<Bus> {
  const open = () =>
    connect({
      servers: options.url,
      name: options.name,
      inboxPrefix: `${eventInboxOf(options.name)}.${secretToken()}`,
      noAsyncTraces: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      reconnectJitter: 50,
      waitOnFirstConnect: false,
      timeout: CONNECT_MS,
      // A server that is late answers a login with an error; by default the second one would end the connection for good.
      ignoreAuthErrorAbort: true,
      pingInterval: 5_000,
      maxPingOut: 2,
      ...(options.seed === null ? {} : { authenticator: nkeyAuthenticator(new TextEncoder().encode(options.seed)) }),
    })
  const connection = await patiently(
    `NATS at ${options.url.replaceAll(/\/\/[^@/,]*@/g, '//')}`,
    open,
    options.patienceMs,
  )
  let up = true
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') up = false
      if (status.type === 'reconnect') up = true
      if (status.type === 'error') options.log.warn({ err: status.error }, 'nats refused something')
      if (status.type === 'disconnect' || status.type === 'reconnect')
        options.log.warn({ status: status.type }, 'nats connection')
    }
  })()

  const outgoing: (() => void)[] = []
  const batch = (send: () => void) => {
    if (outgoing.push(send) === 1) {
      setImmediate(() => {
        for (const one of outgoing.splice(0)) one()
      })
    }
  }

  const inbox = `${inboxOf(options.name)}.${secretToken()}`
  const waiting = createSeats<Waiting>()
  // Only the one who was asked knows where the answer is expected: each service is shown another token.
  const tokens = new Map<string, string>()
  const tokenFor = (service: string): string => {
    const token = tokens.get(service) ?? secretToken()
    tokens.set(service, token)
    return token
  }
  listen(connection, `${inbox}.rpc.>`, options.log, (message) => {
    const id = message.subject.slice(message.subject.lastIndexOf('.') + 1)
    const entry = waiting.peek(id)
    if (entry === undefined) return
    if (!message.subject.startsWith(entry.answersTo)) {
      countAlarm('forged_message', 'rpc')
      return options.log.error({ alarm: 'forged_message' }, 'answer dropped: it comes from where nobody was asked')
    }
    waiting.leave(id)
    if (message.data.length === 0 && message.headers?.code === 503)
      entry.reject(new Outage('no_responders', message.subject))
    else entry.resolve(message.data)
  })
  let sweeping: NodeJS.Timeout | null = null
  const sweep = () => {
    const now = Date.now()
    for (const entry of waiting.sweep(({ deadline }) => deadline <= now))
      entry.reject(new Outage('timeout', 'no answer before the deadline'))
    sweeping = waiting.size() === 0 ? null : setTimeout(sweep, SWEEP_MS).unref()
  }

  const send = (subject: string, data: Uint8Array, deadline: number) =>
    new Promise<Uint8Array>((resolve, reject) => {
      // An answer's subject names what was asked: whoever may listen can tell answers apart without the questions.
      const answersTo = `${inbox}.${subject}.${tokenFor(subject.split('.')[1] ?? '')}.`
      const id = waiting.sit({ resolve, reject, deadline, answersTo })
      sweeping ??= setTimeout(sweep, SWEEP_MS).unref()
      batch(() => {
        try {
          connection.publish(subject, data, { reply: answersTo + id })
        } catch (error) {
          waiting.leave(id)
          reject(new Outage('nats', String(error)))
        }
      })
    })

  const request = async (subject: string, data: Uint8Array, deadline: number): Promise<Uint8Array> => {
    const giveUp = Math.min(deadline, Date.now() + NO_RESPONDER_WINDOW_MS)
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 250)) {
      try {
        return await send(subject, data, deadline)
      } catch (error) {
        if (!(error instanceof Outage) || error.reason !== 'no_responders' || Date.now() + pauseMs >= giveUp)
          throw error
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  const respond = (subject: string, queue: string, handle: (message: Msg) => Promise<Uint8Array>) => {
    let inFlight = 0
    const subscription = listen(
      connection,
      subject,
      options.log,
      (message) => {
        inFlight += 1
        const notSent = (failure: unknown) =>
          options.log.error({ err: failure, subject: message.subject }, 'reply was not sent')
        void handle(message)
          .then((data) =>
            batch(() => {
              // Whatever is thrown here would end the process, and with it the others' answers of this turn.
              try {
                message.respond(data)
              } catch (failure) {
                notSent(failure)
              }
            }),
          )
          .catch(notSent)
          .finally(() => {
            inFlight -= 1
          })
      },
      queue,
    )
    return { drain: () => subscription.drain(), inFlight: () => inFlight }
  }

  return {
    connection,
    request,
    respond,
    connected: () => up && !connection.isClosed(),
    close: async () => {
      if (sweeping !== null) clearTimeout(sweeping)
      for (const entry of waiting.sweep(() => true)) entry.reject(new Outage('nats', 'closing'))
      // A drain waits for the server; without a connection there is nothing to wait for.
      if (up) await Promise.race([connection.drain(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
      await connection.close()
    },
  }
}
