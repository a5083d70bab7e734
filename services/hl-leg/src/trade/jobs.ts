import type { Job } from '@svc/service'
import type { Context } from './context.ts'

/** The function of each job. */
export const jobs = {} satisfies Readonly<Record<string, (context: Context) => Job>>
