import { ok } from '@svc/contract'
import type { mining } from '@svc/contracts/mining'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { rewardsOf } from '../store/payouts.ts'

const RECENT = 50

export const miningBalance: BoundHandler<Context, typeof mining.operations.miningBalance> =
  (context) => async (_input, call) => {
    const { account_id } = callerOf(call)
    const [balance, rewards] = await Promise.all([
      context.balanceOf(account_id),
      rewardsOf(context.pool, account_id, RECENT),
    ])
    return ok(200, {
      balance,
      queued: rewards.queued,
      daily_limit: context.dailyLimit,
      recent_rewards: rewards.rows.map(({ status, pay_on, paid_at, ...reward }) => ({
        ...reward,
        payout: { status: status === 'paid' ? ('paid' as const) : ('queued' as const), pay_on, paid_at },
      })),
    })
  }
