import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { PermissionViolationError, type Msg, type NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import { Outage } from './errors.ts'
import { listen } from './listen.ts'
import type { Log } from './log.ts'
import { countBusProblem, tellBus } from './metrics.ts'
import { nkeyAuthenticator } from './nkey.ts'
import { patiently } from './patiently.ts'
import { createPendingRequests } from './pending-requests.ts'
import { beginAlarms, countAlarm } from './telemetry.ts'
import type { Answers, Watched } from './watch-answers.ts'

interface Waiting {
  readonly resolve: (data: Uint8Array) => void
  readonly reject: (error: Outage) => void
  readonly deadline: number
  /** First part of the subject on which the answer arrives. */
  readonly answersTo: string
}

/** How long a caller waits for a responder to appear: such a request was never delivered, so trying again is safe. */
const NO_RESPONDER_WINDOW_MS = 3_000
const SWEEP_MS = 50
const CONNECT_MS = 20_000
const DRAIN_MS = 2_000

/** Returns the subject under which a service receives the answers to its requests; NATS lets no other service listen. */
export const inboxOf = (service: string): string => `_INBOX_${service}`

/**
 * Returns the subject under which JetStream answers a service and delivers its events; no other service ever sees it. It
 * differs from the inbox, whose subjects are shown to every service that is asked.
 */
export const eventInboxOf = (service: string): string => `_EVENTS_${service}`

/**
 * Prefix of JetStream's interfaces in the accounts of services. The server answers `$JS.API.` itself in every account: where there
 * are no streams, with an error.
 */
export const STREAMS_API = 'STREAMS'

/** Returns an unguessable token for a subject; the tokens of the client library are sequential. */
const secretToken = () => randomBytes(16).toString('hex')

/** A service's connection to NATS. */
export interface Bus {
  readonly connection: NatsConnection
  /** Prefix under which this connection reaches JetStream's interfaces, for a service that has an account of its own. */
  readonly streamsApi: string
  /**
   * Sends `data` to a subject `rpc.…` and resolves with the bytes of the reply. Rejects with `Outage` after `deadline`, or
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
  /**
   * Ends the waits for responders, present and future ones: a request that nobody takes is refused at once. A service that
   * stops would else wait seconds for neighbours that are gone.
   */
  waitNoLonger(): void
  close(): Promise<void>
}

/** Returns the manager by which a service asks for its own streams, buckets and consumers, each time for at most `timeout` ms. */
export const managerOf = ({ connection, streamsApi: apiPrefix }: Bus, timeout: number): Promise<JetStreamManager> =>
  jetstreamManager(connection, { apiPrefix, checkAPI: false, timeout })

export interface BusOptions {
  readonly url: string
  readonly name: string
  readonly seed: string | null
  readonly log: Log
  /** Certificates (PEM) that sign those of servers at tls://; default: the authorities that Node knows. */
  readonly authority?: string | null
  /** Maximum time to wait for a server that is not up yet; default: a minute. */
  readonly patienceMs?: number
  /** Watches the answers of the server: a request ends early while it answers nothing at all. */
  readonly watch?: (of: Pick<Watched, 'look' | 'isAnswer'>) => Answers
}

/** Collects what is sent in one turn of the event loop. */
type Batch = (send: () => void) => void

/**
 * Connects to NATS under a service's name and nkey. Requests share one inbox subscription, and everything sent within one
 * turn of the event loop leaves in a single socket write.
 */
export async function openBus(options: BusOptions): Promise<Bus> {
  const { log } = options
  const connection = await connectTo(options)
  const isUp = followStatus(connection, options.name, log)
  const batch = batching()
  const requests = openRequests(connection, options.name, batch, log)
  const leaving = new AbortController()
  const answers = options.watch?.({ look: () => connection.rtt(), isAnswer: isFromServer })
  const send = (subject: string, data: Uint8Array, deadline: number) =>
    untilResponder(deadline, leaving.signal, () => requests.send(subject, data, deadline))
  return {
    connection,
    // Without a key there are no accounts.
    streamsApi: options.seed === null ? '$JS.API' : STREAMS_API,
    request: (subject, data, deadline) =>
      answers === undefined ? send(subject, data, deadline) : answers.ask(() => send(subject, data, deadline)),
    respond: responding(connection, batch, log),
    connected: () => isUp() && !connection.isClosed(),
    waitNoLonger: () => leaving.abort(),
    close: async () => {
      leaving.abort()
      requests.close()
      // A drain waits for the server, which cannot answer without a connection.
      if (isUp()) await Promise.race([connection.drain(), delay(DRAIN_MS, undefined, { ref: false })])
      await connection.close()
    },
  }
}

/** The server itself says that nobody responds. */
const isFromServer = (error: unknown): boolean => error instanceof Outage && error.reason === 'no_responders'

function connectTo({ url, name, seed, patienceMs, authority = null }: BusOptions): Promise<NatsConnection> {
  const login = seed === null ? {} : { authenticator: nkeyAuthenticator(seed) }
  const open = () =>
    connect({
      servers: url.split(',').map((one) => one.trim()),
      name,
      inboxPrefix: `${eventInboxOf(name)}.${secretToken()}`,
      noAsyncTraces: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      reconnectJitter: 50,
      waitOnFirstConnect: false,
      timeout: CONNECT_MS,
      // A server that is late answers a login with an error; by default the second one ends the connection for good.
      ignoreAuthErrorAbort: true,
      pingInterval: 5_000,
      maxPingOut: 2,
      // TLS comes before the first message: a machine in between could otherwise ask for an unencrypted connection.
      ...(url.startsWith('tls://')
        ? { tls: { handshakeFirst: true, ...(authority === null ? {} : { ca: authority }) } }
        : {}),
      ...login,
    })
  return patiently(`NATS at ${url.replaceAll(/\/\/[^@/,]*@/g, '//')}`, open, patienceMs)
}

/** Logs and counts changes of a connection. Returns a function that returns true while the connection is up. */
function followStatus(connection: NatsConnection, service: string, log: Log): () => boolean {
  let up = true
  tellBus(service)
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') up = false
      if (status.type === 'reconnect') up = true
      if (status.type === 'disconnect') countBusProblem(service, 'disconnect')
      if (status.type === 'error') {
        countBusProblem(service, status.error instanceof PermissionViolationError ? 'permission' : 'error')
        log.warn({ err: status.error }, 'NATS reported an error')
      }
      if (status.type === 'disconnect' || status.type === 'reconnect')
        log.warn({ status: status.type }, 'NATS connection changed')
    }
  })()
  return () => up
}

function batching(): Batch {
  const outgoing: (() => void)[] = []
  return (send) => {
    if (outgoing.push(send) === 1) {
      setImmediate(() => {
        for (const one of outgoing.splice(0)) one()
      })
    }
  }
}

/** Repeats a request until it reaches a responder; the last time when `leaving` aborts. */
async function untilResponder(
  deadline: number,
  leaving: AbortSignal,
  send: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const giveUp = Math.min(deadline, Date.now() + NO_RESPONDER_WINDOW_MS)
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof Outage) || error.reason !== 'no_responders') throw error
      if (leaving.aborted || Date.now() + pauseMs >= giveUp) throw error
      await delay(pauseMs, undefined, { signal: leaving }).catch(() => {})
    }
  }
}

/** Sends requests and matches the answers, which all come to one inbox. */
function openRequests(connection: NatsConnection, name: string, batch: Batch, log: Log) {
  beginAlarms('forged_message', ['rpc'])
  const inbox = `${inboxOf(name)}.${secretToken()}`
  const waiting = createPendingRequests<Waiting>()
  const tokenOf = serviceTokens()
  listen(connection, `${inbox}.rpc.>`, log, (message) => {
    const id = message.subject.slice(message.subject.lastIndexOf('.') + 1)
    const entry = waiting.peek(id)
    if (entry === undefined) return
    if (!message.subject.startsWith(entry.answersTo)) {
      countAlarm('forged_message', 'rpc')
      return log.error({ alarm: 'forged_message' }, 'answer dropped: its sender was not called')
    }
    waiting.remove(id)
    if (message.data.length === 0 && message.headers?.code === 503)
      entry.reject(new Outage('no_responders', message.subject))
    else entry.resolve(message.data)
  })
  let sweeping: NodeJS.Timeout | null = null
  const sweep = () => {
    const now = Date.now()
    for (const entry of waiting.removeWhere(({ deadline }) => deadline <= now))
      entry.reject(new Outage('timeout', 'no answer before the deadline'))
    sweeping = waiting.size() === 0 ? null : setTimeout(sweep, SWEEP_MS).unref()
  }
  const send = (subject: string, data: Uint8Array, deadline: number) =>
    new Promise<Uint8Array>((resolve, reject) => {
      // The answer's subject names the operation: a listener can tell answers apart without the questions.
      const answersTo = `${inbox}.${subject}.${tokenOf(subject.split('.')[1] ?? '')}.`
      const id = waiting.add({ resolve, reject, deadline, answersTo })
      sweeping ??= setTimeout(sweep, SWEEP_MS).unref()
      batch(() => {
        try {
          connection.publish(subject, data, { reply: answersTo + id })
        } catch (error) {
          waiting.remove(id)
          reject(new Outage('nats', String(error)))
        }
      })
    })
  const close = () => {
    if (sweeping !== null) clearTimeout(sweeping)
    for (const entry of waiting.removeWhere(() => true)) entry.reject(new Outage('nats', 'closing'))
  }
  return { send, close }
}

/** Returns a secret token per service, so that only the called service knows the subject of the answer. */
function serviceTokens(): (service: string) => string {
  const tokens = new Map<string, string>()
  return (service) => {
    const token = tokens.get(service) ?? secretToken()
    tokens.set(service, token)
    return token
  }
}

function responding(connection: NatsConnection, batch: Batch, log: Log): Bus['respond'] {
  return (subject, queue, handle) => {
    let inFlight = 0
    const answer = (message: Msg) => {
      inFlight += 1
      const notSent = (failure: unknown) => log.error({ err: failure, subject: message.subject }, 'reply was not sent')
      void handle(message)
        .then((data) =>
          batch(() => {
            // An exception here would end the process, and with it the other answers of this turn.
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
    }
    const subscription = listen(connection, subject, log, answer, queue)
    return { drain: () => subscription.drain(), inFlight: () => inFlight }
  }
}
