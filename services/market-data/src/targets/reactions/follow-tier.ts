import { tiers } from '@svc/contracts/subscriptions/tiers'
import type { BoundReaction } from '@svc/service'
import type { Context, LocalContext } from '#context.ts'
import { openTurn } from '../store/scan-turns.ts'
import { noteTier, setStatus, targetsOf } from '../store/targets.ts'

interface TierChanged {
  readonly account_id: number
  readonly tier: number
}

/** Pauses the targets that exceed the new tier, newest first, and resumes those that it allows again. */
export const followTier: BoundReaction<Context, LocalContext, TierChanged> = {
  apply:
    ({ clock }) =>
    async (tx, { payload: { account_id, tier }, seq }) => {
      if (!(await noteTier(tx, account_id, tier, seq))) return
      const { targets: limit } = tiers[tier as 0 | 1 | 2]
      const targets = await targetsOf(tx, account_id)
      const resumed = targets.slice(0, limit).filter((one) => one.status === 'paused')
      const paused = targets.slice(limit).filter((one) => one.status === 'active')
      const ids = (of: typeof targets) => of.map((one) => one.token_id)
      await setStatus(tx, account_id, ids(paused), 'paused')
      await setStatus(tx, account_id, ids(resumed), 'active')
      for (const one of resumed) await openTurn(tx, one.token_id, clock.now())
    },
}
