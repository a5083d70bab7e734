import type { Reaction } from '@svc/service'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { z } from 'zod'
import { markPaid } from '../store/payouts.ts'

type CherryMoved = z.output<typeof subscriptions.events.cherryMoved.payload>

/** The ledger has booked a transfer: when it is a mining reward, its payout is paid. */
export const markPayoutPaid = (): Reaction<CherryMoved> => async (moved, meta, tx) => {
  if (moved.kind === 'mining_reward') await markPaid(tx, moved.reference, meta.at)
}
