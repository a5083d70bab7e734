import { Problem } from '../../lib/problem.ts'

/** Refusals of a transaction that the service has not seen deep enough yet. */
const NOT_YET = new Set(['hub_transaction_unconfirmed', 'hub_transaction_unknown'])

/** Tells the service of a transaction; `wait` while it does not see it deep enough. Throws `Problem` for everything else. */
export async function recorded(tell: () => Promise<unknown>): Promise<'recorded' | 'wait'> {
  try {
    await tell()
    return 'recorded'
  } catch (error) {
    if (error instanceof Problem && NOT_YET.has(error.code)) return 'wait'
    throw error
  }
}
