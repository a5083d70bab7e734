import type { Caller } from '@svc/contract'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import { utcMonth } from './rules/report.ts'

/** Returns the allowance of reports of a tier in the month of `now`, of which `used` are used. */
export const reportAllowance = (tier: Caller['tier'], used: number, now: Date) => ({
  limit: tiers[tier].pdfs_per_month,
  used,
  resets_at: utcMonth(now).end.toISOString(),
})
