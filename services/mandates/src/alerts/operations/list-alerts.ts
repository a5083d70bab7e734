import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { timesView } from '../alert-times-view.ts'
import { fromCursor, toCursor } from '#page-cursor.ts'
import { pageStart, pageOf } from '#page.ts'
import { alertsOf, channelsOf } from '../store/alerts.ts'
import { alertTimesOf } from '../store/alert-times.ts'
import { addressToVerify } from '../store/channel-codes.ts'

export const listAlerts: BoundHandler<Context, typeof mandates.operations.listAlerts> =
  ({ pool, alerts }) =>
  async (input, call) => {
    const before = pageStart(input.cursor, fromCursor)
    const ownerId = callerOf(call).account_id
    const [rows, channels, telegram_chat_id_to_verify, email_to_verify, times] = await Promise.all([
      alertsOf(pool, ownerId, { before, open: input.open === '1', limit: input.limit + 1 }),
      channelsOf(pool, ownerId),
      addressToVerify(pool, ownerId, 'telegram', call.now),
      addressToVerify(pool, ownerId, 'email', call.now),
      alertTimesOf(pool, ownerId),
    ])
    const page = pageOf(rows, input.limit)
    return ok(200, {
      telegram_chat_id: channels.telegram,
      telegram_chat_id_to_verify,
      email: channels.email,
      email_to_verify,
      sending: {
        telegram: alerts.sends('telegram'),
        email: alerts.sends('email'),
      },
      times: timesView(times),
      items: [...page.items],
      next_cursor: toCursor(page.end?.id ?? null),
    })
  }
