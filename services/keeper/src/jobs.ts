import type { Job } from '@svc/service'
import type { Context, Settings } from './context.ts'
import { forgetSendings } from './jobs/forget-sendings.ts'
import { mark } from './jobs/mark.ts'
import { send } from './jobs/send.ts'
import { settle } from './jobs/settle.ts'

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
