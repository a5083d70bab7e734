import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { LedgerBroken, proveLedger } from '../ledger-proof.ts'

/** Checks the ledger while the service runs; a contradiction raises an alert and does not stop reads. */
export const checkLedger =
  ({ pool, log }: Context): Job =>
  async () => {
    try {
      await proveLedger(pool)
      return { done: 0 }
    } catch (error) {
      if (error instanceof LedgerBroken) log.fatal({ err: error, alert: true }, 'ledger broken')
      throw error
    }
  }
