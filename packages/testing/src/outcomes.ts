import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { nkeyAuthenticator } from '@nats-io/nats-core'
import { decodeFrame, listen, openLog, type ReplyHead } from '@svc/service'

/** The subjects of answers: `_INBOX_<caller>.<connection>.rpc.<service>.<caller>.<operation>.<id>`. */
const ANSWERS = '*.*.rpc.>'

/**
 * NATS user that may subscribe to answers and publish nothing. It has no access to requests and events: NATS would count
 * those without another subscriber as delivered.
 */
export const RECORDER = { name: 'recorder', publish: [], subscribe: [ANSWERS], allowResponses: false } as const

/**
 * Records every (operation, status, code) in answers over this server, and appends them to the folder `TEST_OUTCOMES` on
 * close. Does nothing without that variable.
 */
export async function recordOutcomes(url: string, seed: Uint8Array | null): Promise<{ close(): Promise<void> }> {
  const folder = process.env['TEST_OUTCOMES']
  if (folder === undefined) return { close: async () => {} }
  const connection = await connect({
    servers: url,
    name: RECORDER.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    ...(seed === null ? {} : { authenticator: nkeyAuthenticator(seed) }),
  })
  const seen = new Set<string>()
  listen(connection, ANSWERS, openLog(RECORDER.name, 'silent'), (message) => {
    if (message.data.length === 0) return
    const [, , , service, , operation] = message.subject.split('.')
    const { head, body } = decodeFrame<ReplyHead>(message.data)
    const code = head.s >= 400 ? (JSON.parse(body.toString('utf8')) as { code?: string }).code : ''
    seen.add(`${service}.${operation} ${head.s} ${code}`)
  })
  await connection.flush()
  return {
    close: async () => {
      await connection.close()
      appendFileSync(join(folder, `${process.pid}.txt`), [...seen, ''].join('\n'))
    },
  }
}
