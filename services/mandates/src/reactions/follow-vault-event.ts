import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import { applyFact } from '../apply-chain.ts'
import type { Context } from '../context.ts'
import { factOf } from '../fact-of-event.ts'
import { judgeExecuted } from '../judge-execution.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>

/**
 * Brings a mandate up to what its vault logged, or to what a reorganisation took away, and looks at each `Executed` for
 * the approval that it needed.
 */
export const followVaultEvent =
  (context: Context): Reaction<Seen> =>
  async (payload, _meta, tx) => {
    const fact = factOf(payload)
    await applyFact(tx, context, fact, context.clock.now())
    await judgeExecuted(tx, context, fact)
  }
