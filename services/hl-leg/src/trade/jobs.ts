import type { Job } from '@svc/service'
import { watchOrderKeys } from './account/jobs/watch-order-keys.ts'
import type { Context } from './context.ts'

/** The function of each job. */
export const jobs = { watchOrderKeys } satisfies Readonly<Record<string, (context: Context) => Job>>
