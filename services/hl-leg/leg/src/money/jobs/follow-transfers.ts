import { hlLeg } from '@svc/contracts/hl-leg'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { findEntry, sendStored } from '../deliver.ts'
import { signedTransfers } from '../store/transfers.ts'

/**
 * Follows transfers whose bytes are signed: looks for each in the venue's ledger, and sends its stored bytes again while it is
 * not there. A transfer that cannot be looked up waits; the others go on.
 */
export const followTransfers =
  (context: Context): Job =>
  async (signal) => {
    const { pool, log } = context
    let done = 0
    for (const transfer of await signedTransfers(pool, hlLeg.jobs.followTransfers.max)) {
      if (signal.aborted) break
      try {
        const looked = await findEntry(context, transfer)
        const now = looked.venue === 'signed' ? await sendStored(context, looked) : looked
        if (now.venue !== 'signed') done += 1
      } catch (error) {
        if (!isOutage(error)) throw error
        log.warn({ err: error, transfer_id: transfer.transfer_id }, 'transfer at the venue not followed')
      }
    }
    return { done }
  }
