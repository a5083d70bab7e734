import type { Job } from '@svc/service'
import type { Context, Settings } from './context.ts'
import { readLegs } from './legs/jobs/read-legs.ts'
import { watchApprovals } from './legs/jobs/watch-approvals.ts'
import { explainLegs } from './money/jobs/explain-legs.ts'
import { followTransfers } from './money/jobs/follow-transfers.ts'
import { takePayments } from './money/jobs/take-payments.ts'
import { watchSwitches } from './money/jobs/watch-switches.ts'
import { resolveOrders } from './orders/jobs/resolve-orders.ts'
import { stopLine } from './stop-line/jobs/stop-line.ts'
import { readMarkets } from './venue/jobs/read-markets.ts'

/** The function of each job. */
export const jobs = {
  stopLine,
  readLegs,
  watchApprovals,
  resolveOrders,
  readMarkets,
  followTransfers,
  explainLegs,
  takePayments,
  watchSwitches,
} satisfies Readonly<Record<string, (context: Context) => Job>>

/** Returns the interval of each job from the settings. */
export const jobPace = ({ stopLineSec }: Settings) => ({ stopLine: { everyMs: stopLineSec * 1000 } })
