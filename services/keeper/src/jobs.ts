import type { Job } from '@svc/service'
import type { Context, Settings } from './context.ts'
import { forgetSendings } from './transactions/jobs/forget-sendings.ts'
import { mark } from './marks/jobs/mark.ts'
import { send } from './transactions/jobs/send.ts'
import { settle } from './settlements/jobs/settle.ts'

/** The function of each job. */
export const jobs = { mark, settle, send, forgetSendings } satisfies Readonly<Record<string, (context: Context) => Job>>

/** Pace of the jobs as the settings say. */
export function jobPace({ markSec, sendSec }: Settings) {
  return {
    mark: { everyMs: markSec * 1000 },
    settle: { everyMs: markSec * 1000 },
    send: { everyMs: sendSec * 1000 },
  }
}
