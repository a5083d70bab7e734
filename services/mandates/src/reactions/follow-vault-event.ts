import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { applyFact } from '../apply-chain.ts'
import type { Context, LocalContext } from '../context.ts'
import { factOf } from '../fact-of-event.ts'
import { judgeExecuted } from '../judge-execution.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>

/**
 * Brings a mandate up to what its vault logged, or to what a reorganisation took away, and looks at each `Executed` for
 * the approval that it needed.
 */
export const followVaultEvent: BoundReaction<Context, LocalContext, Seen, Context> = {
  // Judging still asks the chain while it holds its locks, so it is handed the whole context.
  prepare: (context) => async () => context,
  apply:
    (local) =>
    async (tx, { payload }, context) => {
      const fact = factOf(payload)
      await applyFact(tx, local, fact, local.clock.now())
      await judgeExecuted(tx, context, fact)
    },
}
