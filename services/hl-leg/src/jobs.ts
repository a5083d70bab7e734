import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { readLegs } from './legs/jobs/read-legs.ts'
import { watchApprovals } from './legs/jobs/watch-approvals.ts'
import { resolveOrders } from './orders/jobs/resolve-orders.ts'
import { readMarkets } from './venue/jobs/read-markets.ts'

/** The function of each job. */
export const jobs = { readLegs, watchApprovals, resolveOrders, readMarkets } satisfies Readonly<
  Record<string, (context: Context) => Job>
>
