import { tiers } from '@svc/contracts/subscriptions/tiers'
import type { BoundReaction } from '@svc/service'
import type { Context, LocalContext } from '#context.ts'
import { resumeTargets } from '../places.ts'
import { noteTier, setStatus, targetsOf } from '../store/targets.ts'

interface TierChanged {
  readonly account_id: number
  readonly tier: number
}

/**
 * Pauses the targets that exceed the new tier, newest first, and resumes those that it allows again and whose venues carry
 * another scan. The others wait for a place.
 */
export const followTier: BoundReaction<Context, LocalContext, TierChanged> = {
  apply:
    (context) =>
    async (tx, { payload: { account_id, tier }, seq }) => {
      if (!(await noteTier(tx, account_id, tier, seq))) return
      const { targets: limit } = tiers[tier as 0 | 1 | 2]
      const targets = await targetsOf(tx, account_id)
      const resumed = targets.slice(0, limit).filter((one) => one.status === 'paused')
      const paused = targets.slice(limit).filter((one) => one.status === 'active')
      const ids = paused.map((one) => one.token_id)
      await setStatus(tx, account_id, ids, 'paused')
      await resumeTargets(
        context,
        tx,
        resumed.map(({ token_id, exchange }) => ({ account_id, token_id, exchange })),
      )
    },
}
