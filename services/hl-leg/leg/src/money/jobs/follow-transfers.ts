import { hlLeg } from '@svc/contracts/hl-leg'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { venueTransfers } from '../send-transfer.ts'
import { dueTransfers } from '../store/transfers.ts'
import { transferAdapter } from '../transfer-adapter.ts'

/**
 * Follows transfers whose bytes are signed: looks for each in the venue's ledger, and sends its stored bytes again while it is
 * not there. A transfer that cannot be looked up waits; the others go on.
 */
export const followTransfers =
  (context: Context): Job =>
  async (signal) => {
    const { pool, log, clock } = context
    const [outbound, adapter] = [venueTransfers(context), transferAdapter(context, null)]
    await outbound.sweep()
    const { max } = hlLeg.jobs.followTransfers
    let done = 0
    for (const id of await pool.transaction((tx) => outbound.rows.due(tx, { ...dueTransfers, max }, clock.now()))) {
      if (signal.aborted) break
      try {
        done += (await outbound.resume(adapter, outbound.rows.only(id))).ended
      } catch (error) {
        if (!isOutage(error)) throw error
        log.warn({ err: error, effect: id }, 'transfer at the venue not followed')
      }
    }
    return { done }
  }
