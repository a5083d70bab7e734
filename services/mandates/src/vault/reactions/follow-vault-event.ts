import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { applyFacts } from '../apply-chain.ts'
import { isOfCall } from '#books/rules/called-data.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'
import { isStandingFact } from '#books/store/chain-facts.ts'
import { findVault } from '#books/store/vaults.ts'
import type { Context, LocalContext } from '#context.ts'
import { factOf } from '#books/fact-of-event.ts'
import { judgeExecuted, lookAtExecution } from '#executions/judge-execution.ts'
import type { ChainAnswers } from '#executions/rules/decide-execution.ts'
import { lockScene } from '#mandate/scene.ts'
import { calledDataOf } from '#neighbours/called-data-of.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>

/** What the chain says of an event before any lock is taken. */
interface Looked {
  readonly answers: ChainAnswers | null
  /** Calldata of the call that the event tells of; null if it is unknown or already recorded. */
  readonly data: string | null
}

/**
 * Brings a mandate up to what its vault logged, or to what a reorganisation took away, and looks at each `Executed` for
 * the approval that it needed.
 */
export const followVaultEvent: BoundReaction<Context, LocalContext, Seen, Looked> = {
  prepare:
    (context) =>
    async ({ payload }) => {
      const fact = factOf(payload)
      return { answers: await lookAtExecution(context, fact), data: await dataOf(context, fact) }
    },
  apply:
    (context) =>
    async (tx, { payload }, { answers, data }) => {
      const fact = { ...factOf(payload), data }
      const before = await lockScene(tx, fact.chainId, fact.vault)
      const scene = await applyFacts(tx, context, before, [fact], context.clock.now())
      if (scene !== null) await judgeExecuted(tx, context, scene, fact, answers)
    },
}

/** Asks the chain for the calldata of a call that is new here, of a vault that is a mandate's. */
async function dataOf({ pool, chainClient }: Context, fact: ChainFact): Promise<string | null> {
  if (!isOfCall(fact) || !fact.canonical || (await isStandingFact(pool, fact))) return null
  if ((await findVault(pool, fact.chainId, fact.vault)) === null) return null
  const { target, selector } = fact.args
  return calledDataOf(chainClient, fact.txHash, { vault: fact.vault, target, selector })
}
