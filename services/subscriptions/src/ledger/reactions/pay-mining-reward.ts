import type { mining } from '@svc/contracts/mining'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { moveCherry } from '../move-cherry.ts'

type PayoutReleased = z.output<typeof mining.events.payoutReleased.payload>

/** Books a released reward, once per submission, however often the event is delivered. */
export const payMiningReward: BoundReaction<Context, LocalContext, PayoutReleased> = {
  apply:
    ({ clock }) =>
    async (tx, { payload: { submission_id, account_id, cherry } }) => {
      await moveCherry(tx, {
        key: `mining:${submission_id}`,
        kind: 'mining_reward',
        accountId: account_id,
        amount: cherry,
        reference: submission_id,
        at: clock.now(),
      })
    },
}
