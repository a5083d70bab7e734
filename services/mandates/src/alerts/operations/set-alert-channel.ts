import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { codeMessage } from '../rules/mails.ts'
import { sendCode } from '../prove-address.ts'
import { storeChannel } from '../store/alerts.ts'
import { endCodes } from '../store/channel-codes.ts'
import { telegramNotConfigured, telegramRefused } from '@svc/contracts/mandates/alerts'

/** Sends a code to the chat, which counts once the owner sends the code back; else alerts could go to a foreign chat. */
export const setAlertChannel: BoundHandler<Context, typeof mandates.operations.setAlertChannel> =
  (context) =>
  async ({ telegram_chat_id: chat }, call) => {
    const { alerts } = context
    const { telegram } = alerts
    const sending = alerts.sends('telegram')
    if (chat === null)
      return call.effect(async (tx) => {
        const ownerId = callerOf(call).account_id
        await storeChannel(tx, { ownerId, channel: 'telegram', address: null }, call.now)
        await endCodes(tx, ownerId, 'telegram', call.now)
        return ok(200, { ok: true as const, telegram_chat_id: null, sending })
      })
    if (telegram === null) return refuse(telegramNotConfigured)
    const send = (code: string) => telegram(chat, codeMessage(code))
    const expiresAt = await sendCode(context, call, { channel: 'telegram', address: chat }, send, telegramRefused)
    return ok(202, {
      ok: true as const,
      telegram_chat_id_to_verify: chat,
      expires_at: expiresAt.toISOString(),
      sending,
    })
  }
