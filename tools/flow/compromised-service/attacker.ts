import { nkeyAuthenticator, type Msg, type NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import type { Environment } from '@svc/contract'

/** A bare NATS connection with a service's key, restricted only by the server's permissions. */
export interface Attacker {
  readonly service: string
  readonly connection: NatsConnection
  /** Publishes to each subject and returns those that the server accepted. */
  publishAll(messages: readonly Forged[]): Promise<readonly Forged[]>
  /** Subscribes to each subject and returns those that the server allowed; they stay open. */
  listenAll(subjects: readonly (readonly [string, string?])[], heard: (message: Msg) => void): Promise<string[]>
  /** Sends one request with the reply to the attacker's own inbox; null when nothing answers in time. */
  ask(subject: string, data: string | Uint8Array, timeoutMs?: number): Promise<Msg | null>
  close(): Promise<void>
}

/** A message as an attacker sends it. */
export interface Forged {
  readonly subject: string
  readonly data: string | Uint8Array
  readonly reply?: string
}

/** Collects refused subjects. The server names them in order, so a subject that nobody may use marks the end of a batch. */
function violationsOf(connection: NatsConnection) {
  const seen = new Set<string>()
  let batches = 0
  let ended = (_subject: string): void => {}
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type !== 'error') continue
      const subject = /Permissions Violation for (?:Publish|Subscription) to "([^"]+)"/i.exec(status.error.message)?.[1]
      if (subject === undefined) continue
      seen.add(subject)
      ended(subject)
    }
  })()
  return {
    /** Sends a batch and resolves with its refused subjects. */
    of: async (send: () => Promise<void>): Promise<ReadonlySet<string>> => {
      const last = `nobody.may.${(batches += 1)}`
      const { promise, resolve } = Promise.withResolvers<void>()
      ended = (subject) => {
        if (subject === last) resolve()
      }
      seen.clear()
      await send()
      connection.publish(last, '')
      await connection.flush()
      await promise
      return new Set(seen)
    },
  }
}

/** Connects with the key from a service's environment. */
export async function attackAs(service: string, environment: Environment): Promise<Attacker> {
  const connection = await connect({
    servers: environment['SVC_NATS_URL'] ?? '',
    authenticator: nkeyAuthenticator(new TextEncoder().encode(environment['SVC_NATS_SEED'] ?? '')),
    inboxPrefix: `_INBOX_${service}`,
    reconnect: false,
  })
  const violations = violationsOf(connection)
  const inbox = `_INBOX_${service}.attacker`
  let asked = 0
  const waiting = new Map<string, (message: Msg) => void>()
  connection.subscribe(`${inbox}.>`, {
    callback: (error, message) => {
      if (error === null) waiting.get(message.subject)?.(message)
    },
  })
  return {
    service,
    connection,
    publishAll: async (messages) => {
      const refused = await violations.of(async () => {
        for (const [at, { subject, data, reply }] of messages.entries()) {
          connection.publish(subject, data, reply === undefined ? {} : { reply })
          if (at % 500 === 499) await connection.flush()
        }
      })
      return messages.filter(({ subject }) => !refused.has(subject))
    },
    listenAll: async (subjects, heard) => {
      const refused = await violations.of(async () => {
        for (const [subject, queue] of subjects)
          connection.subscribe(subject, {
            ...(queue === undefined ? {} : { queue }),
            callback: (error, message) => {
              if (error === null) heard(message)
            },
          })
      })
      return subjects.flatMap(([subject]) => (refused.has(subject) ? [] : [subject]))
    },
    ask: async (subject, data, timeoutMs = 1_000) => {
      const reply = `${inbox}.${(asked += 1)}`
      const { promise, resolve } = Promise.withResolvers<Msg | null>()
      waiting.set(reply, resolve)
      const timer = setTimeout(() => resolve(null), timeoutMs)
      connection.publish(subject, data, { reply })
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(reply)
      })
    },
    close: () => connection.close(),
  }
}
