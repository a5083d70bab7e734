import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { checkEvidence } from './evidence/jobs/check-evidence.ts'
import { lapsePending } from './reviews/jobs/lapse-pending.ts'
import { payoutsOfTheDay } from './payouts/jobs/payouts-of-the-day.ts'

export const jobs: Readonly<Record<string, (context: Context) => Job>> = {
  payoutsOfTheDay,
  lapsePending,
  checkEvidence,
}
