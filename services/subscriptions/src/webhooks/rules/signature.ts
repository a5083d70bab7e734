import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
/** Length of a secret. */
export const SECRET_BYTES = 32

/** Returns a secret as its owner is given it, from random bytes. */
export const secretOf = (bytes: Buffer): string => PREFIX + bytes.toString('base64')

/**
 * Returns the headers of Standard Webhooks for a message that leaves at `at`. Several secrets give several signatures, the
 * first one first.
 */
export function signedHeaders(
  secrets: readonly string[],
  message: { readonly id: string; readonly body: string },
  at: Date,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`
  })
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
