import type { Deposit } from '@svc/contracts/chain-indexer/deposits'
import type { BoundReaction } from '@svc/service'
import type { Context, LocalContext } from '#context.ts'
import { putDeposit } from '../store/deposits.ts'

/** Keeps what the chain tells of USDC that arrives at an agent's wallet, for the activity of agents. */
export const noteDeposit: BoundReaction<Context, LocalContext, Deposit> = {
  apply:
    () =>
    (tx, { payload }) =>
      putDeposit(tx, payload),
}
