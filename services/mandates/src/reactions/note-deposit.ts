import type { Deposit } from '@svc/contracts/chain-indexer-facts'
import type { Reaction } from '@svc/service'
import type { Context } from '../context.ts'
import { putDeposit } from '../store/deposits.ts'

/** Keeps what the chain tells of USDC that arrives at an agent's wallet, for the activity of agents. */
export const noteDeposit =
  (_context: Context): Reaction<Deposit> =>
  (deposit, _meta, tx) =>
    putDeposit(tx, deposit)
