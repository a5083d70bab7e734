import { hlLeg } from '@svc/contracts/hl-leg'
import type { Job } from '@svc/service'
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
    const [outbound, adapter] = [venueTransfers(context), transferAdapter(context, null)]
    await outbound.sweep()
    const { max } = hlLeg.jobs.followTransfers
    return { done: await outbound.resumeEach(adapter, { ...dueTransfers, max }, signal) }
  }
