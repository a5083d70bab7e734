import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { nkeyAuthenticator } from '@nats-io/nats-core'
import { decodeFrame, listen, openLog, type ReplyHead } from '@svc/service'

/** The subjects of answers: `_INBOX_<caller>.<connection>.rpc.<service>.<caller>.<operation>.<id>`. */
const ANSWERS = '*.*.rpc.>'

/**
 * NATS user that hears answers and may say nothing. It does not hear requests or events: then NATS would take those
 * as delivered that nobody else waits for.
 */
export const RECORDER = { name: 'recorder', publish: [], subscribe: [ANSWERS], allowResponses: false } as const

/**
 * Notes every (operation, status, code) that services answer over this server, and appends them to the folder
 * `TEST_OUTCOMES` when closed. Does nothing without that variable.
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
