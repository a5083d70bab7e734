import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { readLegs } from './legs/jobs/read-legs.ts'
import { watchApprovals } from './legs/jobs/watch-approvals.ts'
import { followTransfers } from './money/jobs/follow-transfers.ts'
import { resolveOrders } from './orders/jobs/resolve-orders.ts'
import { readMarkets } from './venue/jobs/read-markets.ts'

/** The function of each job. */
export const jobs = { readLegs, watchApprovals, resolveOrders, readMarkets, followTransfers } satisfies Readonly<
  Record<string, (context: Context) => Job>
>
