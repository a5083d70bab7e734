import type { BoundReaction } from '@svc/service'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { markPaid } from '../store/payouts.ts'

type CherryMoved = z.output<typeof subscriptions.events.cherryMoved.payload>

/** The ledger has booked a transfer: when it is a mining reward, its payout is paid. */
export const markPayoutPaid: BoundReaction<Context, LocalContext, CherryMoved> = {
  apply:
    () =>
    async (tx, { at, payload }) => {
      if (payload.kind === 'mining_reward') await markPaid(tx, payload.reference, at)
    },
}
