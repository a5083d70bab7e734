import type { BoundReaction } from '@svc/service'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { markPaid } from '../store/payouts.ts'

type CherryMoved = z.output<typeof subscriptions.events.cherryMoved.payload>

/** Marks a payout as paid once the ledger has booked its transfer. */
export const markPayoutPaid: BoundReaction<Context, LocalContext, CherryMoved> = {
  apply:
    () =>
    async (tx, { at, payload }) => {
      if (payload.kind === 'mining_reward') await markPaid(tx, payload.reference, at)
    },
}
