import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { applyFacts } from '../apply-chain.ts'
import type { Context, LocalContext } from '#context.ts'
import { factOf } from '#books/fact-of-event.ts'
import { judgeExecuted, lookAtExecution } from '#executions/judge-execution.ts'
import type { ChainAnswers } from '#executions/rules/decide-execution.ts'
import { lockScene } from '#mandate/scene.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>

/**
 * Brings a mandate up to what its vault logged, or to what a reorganisation took away, and looks at each `Executed` for
 * the approval that it needed.
 */
export const followVaultEvent: BoundReaction<Context, LocalContext, Seen, ChainAnswers | null> = {
  prepare:
    (context) =>
    ({ payload }) =>
      lookAtExecution(context, factOf(payload)),
  apply:
    (context) =>
    async (tx, { payload }, answers) => {
      const fact = factOf(payload)
      const before = await lockScene(tx, fact.chainId, fact.vault)
      const scene = await applyFacts(tx, context, before, [fact], context.clock.now())
      if (scene !== null) await judgeExecuted(tx, context, scene, fact, answers)
    },
}
