import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { alertOwner } from '#alerts/alert-owner.ts'
import type { Context, LocalContext } from '#context.ts'
import { listMandates, lockMandateById } from '#mandate/store/mandates.ts'
import { webhookOffWords } from '../rules/webhook-words.ts'

type TurnedOff = z.output<typeof subscriptions.events.webhookTurnedOff.payload>

/**
 * Tells the owner of an account whose webhook was turned off: the account itself, or the owner that an agent is paired with. The
 * alert stands at the newest mandate of that owner; without one it is only in the list of webhooks.
 */
export const tellWebhookOff: BoundReaction<Context, LocalContext, TurnedOff, number | null> = {
  prepare:
    ({ agentsClient }) =>
    async ({ payload: { account_id } }) => {
      const agent = await agentsClient.readAgent(account_id)
      return agent === null ? account_id : (agent.owner?.owner_id ?? null)
    },
  apply:
    (context) =>
    async (tx, { payload }, ownerId) => {
      if (ownerId === null) return
      const now = context.clock.now()
      const [newest] = (await listMandates(tx, { party: { ownerId }, before: null, limit: 1, now })).items
      if (newest === undefined) return
      // An account that turns webhooks on only to lose them alerts its owner once a day.
      const about = `${payload.account_id} ${payload.off_at.slice(0, 10)}`
      const alert = {
        kind: 'webhook_off',
        severity: 'info',
        text: webhookOffWords(payload, ownerId),
        about,
      } as const
      await alertOwner(tx, context, await lockMandateById(tx, newest.id), alert, now)
    },
}
