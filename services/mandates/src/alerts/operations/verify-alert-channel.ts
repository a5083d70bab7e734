import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { takeCode } from '../prove-address.ts'
import { noTelegramCode, telegramCodeWrong } from '@svc/contracts/mandates/alerts'

export const verifyAlertChannel: BoundHandler<Context, typeof mandates.operations.verifyAlertChannel> =
  (context) =>
  async ({ code }, call) => {
    const refusals = { wrong: telegramCodeWrong, none: noTelegramCode }
    const telegram_chat_id = await takeCode(context, call, 'telegram', code, refusals)
    return ok(200, { ok: true as const, telegram_chat_id, sending: context.alerts.sends('telegram') })
  }
