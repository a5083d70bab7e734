import type { Job } from '@svc/service'
import type { Context, Settings } from './context.ts'
import { watchFunder } from './drips/jobs/watch-funder.ts'
import { legMover } from './legs/jobs/leg-mover.ts'
import { legReconcile } from './legs/jobs/leg-reconcile.ts'
import { mark } from './marks/jobs/mark.ts'
import { settle } from './settlements/jobs/settle.ts'
import { forgetTransactions } from './transactions/jobs/forget-transactions.ts'
import { send } from './transactions/jobs/send.ts'

/** The function of each job. */
export const jobs = { mark, settle, send, legMover, legReconcile, watchFunder, forgetTransactions } satisfies Readonly<
  Record<string, (context: Context) => Job>
>

/** Returns the interval of each job from the settings. */
export function jobPace({ markSec, sendSec, moverSec, reconcileSec }: Settings) {
  return {
    mark: { everyMs: markSec * 1000 },
    settle: { everyMs: markSec * 1000 },
    send: { everyMs: sendSec * 1000 },
    legMover: { everyMs: moverSec * 1000 },
    legReconcile: { everyMs: reconcileSec * 1000 },
  }
}
