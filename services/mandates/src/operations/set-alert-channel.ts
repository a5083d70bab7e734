import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { storeChannel } from '../store/alerts.ts'

export const setAlertChannel: BoundHandler<Context, typeof mandates.operations.setAlertChannel> =
  ({ alerts }) =>
  async ({ telegram_chat_id }, call) =>
    call.effect(async (tx) => {
      await storeChannel(
        tx,
        { ownerId: callerOf(call).account_id, channel: 'telegram', address: telegram_chat_id },
        call.now,
      )
      return ok(200, {
        ok: true as const,
        telegram_chat_id,
        sending: alerts.sends('telegram'),
      })
    })
