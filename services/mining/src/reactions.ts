import type { Reaction } from '@svc/service'
import type { Context } from './context.ts'
import { markPayoutPaid } from './reactions/mark-payout-paid.ts'

export const reactions: Readonly<Record<string, (context: Context) => Reaction>> = {
  'subscriptions.cherryMoved': markPayoutPaid,
}
