import type { Deposit } from '@svc/contracts/chain-indexer/deposits'
import type { BoundReaction } from '@svc/service'
import type { Context, LocalContext } from '#context.ts'
import { putDeposit } from '../store/deposits.ts'

/** Stores the deposits of USDC to an agent's wallet that chain-indexer publishes, for the activity of agents. */
export const noteDeposit: BoundReaction<Context, LocalContext, Deposit> = {
  apply:
    () =>
    (tx, { payload }) =>
      putDeposit(tx, payload),
}
