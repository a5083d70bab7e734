import { job } from '@svc/contract'

/** The job that closes legs. */
export const stopLineJobs = {
  stopLine: job({
    summary:
      'Close the positions of legs whose mandate is worth no more than its stop line or is over, or whose agent is silent; everyMs is HUB_STOP_LINE_SEC',
    everyMs: 30_000,
    dryRun: 'stopLineDryRun',
    tells: ['legs', 'with_line', 'protected', 'oldest_reading_at'],
    max: 20,
    budgetSec: 25,
  }),
} as const
