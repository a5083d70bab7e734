import { createHash } from 'node:crypto'

/** Hashes a client's address together with the day, so that the stored value reveals no address. */
export function clientHash(client: string, now: Date): string {
  return createHash('sha256')
    .update(`${now.toISOString().slice(0, 10)} ${client}`)
    .digest('hex')
}
