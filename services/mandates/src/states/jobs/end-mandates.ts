import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { moveMandate, readMoveScene } from '../move-mandate.ts'
import { dueToEnd, lockMandateById } from '#mandate/store/mandates.ts'

/** Ends mandates whose end has passed, each in a separate transaction. */
export const endMandates =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    const now = clock.now()
    let done = 0
    for (const id of await dueToEnd(pool, now, mandates.jobs.endMandates.max)) {
      if (signal.aborted) break
      await pool.transaction(async (tx) => {
        const scene = await readMoveScene(tx, await lockMandateById(tx, id))
        await moveMandate(tx, context, scene, { now, source: 'server' })
      })
      done += 1
    }
    return { done }
  }
