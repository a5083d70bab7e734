import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { judgeExecuted, lookAtExecution } from '../judge-execution.ts'
import { lapseOf } from '#approvals/lapse-approvals.ts'
import { lockScene } from '#mandate/scene.ts'
import { mandatesWithLapsed } from '#approvals/store/approvals.ts'
import { unjudgedFacts } from '#books/store/chain-facts.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'

/** A vault attached longer ago has no facts from before that are still to be judged. */
const ATTACHED_WITHIN_MS = 3_600_000

/** Ends held calls whose time is over, and judges executions that came before their vault was attached. */
export const tendApprovals =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    const now = clock.now()
    let done = 0
    for (const id of await mandatesWithLapsed(pool, now, mandates.jobs.tendApprovals.max)) {
      if (signal.aborted) break
      done += await pool.transaction(async (tx) => lapseOf(tx, await lockMandateById(tx, id), now))
    }
    const since = new Date(now.getTime() - ATTACHED_WITHIN_MS)
    for (const fact of await unjudgedFacts(pool, since, mandates.jobs.tendApprovals.max)) {
      if (signal.aborted) break
      const answers = await lookAtExecution(context, fact)
      await pool.transaction(async (tx) => {
        const scene = await lockScene(tx, fact.chainId, fact.vault)
        if (scene !== null) await judgeExecuted(tx, context, scene, fact, answers)
      })
      done += 1
    }
    return { done }
  }
