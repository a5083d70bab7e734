import { createHash } from 'node:crypto'

/** A client's address under the day, so that the stored word tells nobody's address later. */
export function clientHash(client: string, now: Date): string {
  return createHash('sha256')
    .update(`${now.toISOString().slice(0, 10)} ${client}`)
    .digest('hex')
}
