import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'
import { markPayoutPaid } from './payouts/reactions/mark-payout-paid.ts'

export const reactions: Reactions<Context, LocalContext> = {
  'subscriptions.cherryMoved': markPayoutPaid,
}
