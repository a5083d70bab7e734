import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { readMarkets } from './venue/jobs/read-markets.ts'

/** The function of each job. */
export const jobs = { readMarkets } satisfies Readonly<Record<string, (context: Context) => Job>>
