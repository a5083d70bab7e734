import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Authenticator, Msg } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import type { Contract } from '@svc/contract'
import { decodeFrame, listen, openLog, type Permissions, type ReplyHead } from '@svc/service'

/** The subjects of answers: `_INBOX_<caller>.<connection>.rpc.<service>.<caller>.<operation>.<id>`. */
const ANSWERS = '*.*.rpc.>'

/** Returns the name of the user that records the answers which a service gets. */
export const recorderOf = (service: string): string => `recorder-${service}`

/**
 * NATS users that may subscribe to answers and publish nothing: one in the account of each service, since an answer between
 * accounts reaches the account of the caller alone. They have no access to requests and events: NATS would count those without
 * another subscriber as delivered.
 */
export const recordersOf = (contracts: readonly Contract[]): readonly Permissions[] =>
  contracts.map(({ name }) => ({
    name: recorderOf(name),
    account: name,
    imports: [],
    publish: [],
    subscribe: [ANSWERS],
    allowResponses: false,
  }))

/** Bodies of one operation and status that are kept as candidates for an example, and the size of the largest. */
const CANDIDATES_MAX = 8
const CANDIDATE_MAX_BYTES = 1_048_576

/**
 * Records every (operation, status, code) in answers over this server that any of the logins hears, null on a server without
 * accounts, and appends them to the folder `TEST_OUTCOMES` on close. Does nothing without that variable. With `TEST_EXAMPLES`
 * it also appends bodies of successful answers, from which `npm run examples` chooses the examples of the API documents.
 */
export async function recordOutcomes(
  url: string,
  logins: readonly (Authenticator | null)[],
): Promise<{ close(): Promise<void> }> {
  const folder = process.env['TEST_OUTCOMES']
  if (folder === undefined) return { close: async () => {} }
  const seen = new Set<string>()
  const wanted = process.env['TEST_EXAMPLES'] !== undefined
  const bodies = new Map<string, string[]>()
  const hear = (message: Msg) => {
    if (message.data.length === 0) return
    const [, , , service, , operation] = message.subject.split('.')
    const { head, body } = decodeFrame<ReplyHead>(message.data)
    const code = head.s >= 400 ? (JSON.parse(body.toString('utf8')) as { code?: string }).code : ''
    seen.add(`${service}.${operation} ${head.s} ${code}`)
    if (head.dry === true && head.s < 400) seen.add(`${service}.${operation} dry_run`)
    if (!wanted || head.s >= 400 || body.length > CANDIDATE_MAX_BYTES) return
    const key = `${service}.${operation} ${head.s}`
    const known = bodies.get(key) ?? []
    if (known.length < CANDIDATES_MAX) bodies.set(key, [...known, body.toString('utf8')])
  }
  const connections = await Promise.all(
    logins.map(async (login) => {
      const connection = await connect({
        servers: url,
        name: 'recorder',
        maxReconnectAttempts: -1,
        reconnectTimeWait: 100,
        ...(login === null ? {} : { authenticator: login }),
      })
      listen(connection, ANSWERS, openLog('recorder', 'silent'), hear)
      await connection.flush()
      return connection
    }),
  )
  return {
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()))
      appendFileSync(join(folder, `${process.pid}.txt`), [...seen, ''].join('\n'))
      const lines = [...bodies].flatMap(([key, texts]) => texts.map((body) => JSON.stringify({ key, body })))
      if (wanted) appendFileSync(join(folder, `${process.pid}.bodies`), [...lines, ''].join('\n'))
    },
  }
}
