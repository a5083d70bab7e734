import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { nextUtcMonth } from '../rules/calendar.ts'
import { runningAt } from '../rules/quote.ts'
import { findSubscription } from '../store/subscriptions.ts'

export const readStatus: BoundHandler<Context, typeof subscriptions.operations.readStatus> =
  ({ pool, targetsUsedBy, reportsUsedBy }) =>
  async (_input, call) => {
    const { id } = accountOf(call)
    const [stored, targetsUsed, reportsUsed] = await Promise.all([
      findSubscription(pool, id),
      targetsUsedBy(id),
      reportsUsedBy(id),
    ])
    const running = runningAt(stored, call.now)
    const included = tiers[running?.tier ?? 0]
    return ok(200, {
      tier: included.tier,
      tier_name: included.name,
      status: running !== null ? 'active' : stored?.endsAt == null ? 'free' : 'lapsed',
      started_at: stored?.startedAt?.toISOString() ?? null,
      ends_at: stored?.endsAt?.toISOString() ?? null,
      seconds_left: running === null ? 0 : Math.floor((running.endsAt.getTime() - call.now.getTime()) / 1000),
      requests_per_day: included.requests_per_day,
      targets: { limit: included.targets, used: targetsUsed },
      pdf_usage: {
        limit: included.pdfs_per_month,
        used: reportsUsed,
        resets_at: nextUtcMonth(call.now).toISOString(),
      },
    })
  }
