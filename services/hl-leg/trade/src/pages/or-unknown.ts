import { isOutage, type Log } from '@svc/service'

/** Returns null in place of an outage: the answer is unknown. */
export async function orUnknown<T>({ log }: { readonly log: Log }, question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error }, 'a part of a trade page is unknown')
    return null
  }
}
