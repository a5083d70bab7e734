import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { nkeyAuthenticator } from '@nats-io/nats-core'
import { decodeFrame, type ReplyHead } from '@svc/service'

/** NATS user that hears everything and may say nothing. */
export const RECORDER = { name: 'recorder', publish: [], subscribe: ['>'] } as const

/** Requests whose answer is still awaited; tests that never ask for more than this at once miss nothing. */
const WAITING_MAX = 10_000

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
  const asked = new Map<string, string>()
  const seen = new Set<string>()
  connection.subscribe('>', {
    callback: (error, message) => {
      if (error !== null) return
      const [first, service, , operation] = message.subject.split('.')
      if (first === 'rpc' && message.reply !== undefined) {
        if (asked.size < WAITING_MAX) asked.set(message.reply, `${service}.${operation}`)
        return
      }
      const name = asked.get(message.subject)
      if (name === undefined || !asked.delete(message.subject) || message.data.length === 0) return
      const { head, body } = decodeFrame<ReplyHead>(message.data)
      const code = head.s >= 400 ? (JSON.parse(body.toString('utf8')) as { code?: string }).code : ''
      seen.add(`${name} ${head.s} ${code}`)
    },
  })
  await connection.flush()
  return {
    close: async () => {
      await connection.close()
      appendFileSync(join(folder, `${process.pid}.txt`), [...seen, ''].join('\n'))
    },
  }
}
