import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, instant, okTrue, queryInt } from './common.ts'
import { count, publicId } from './mandates-fields.ts'

const chatId = z
  .string()
  .regex(/^-?[1-9]\d{0,15}$/, 'use the numeric id of your chat with the bot')
  .max(17)
  .meta({ description: 'Your chat with the bot of this deployment: start it first', example: '123456789' })

/** What owners are told, and where. */
export const alertOperations = {
  listAlerts: operation({
    summary: 'List what you were told about your mandates, newest first',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/me/alerts',
    input: z.strictObject({ limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
    success: {
      200: z.object({
        telegram_chat_id: chatId.nullable().meta({ description: 'Where alerts are sent; null sends none' }),
        sending: z.boolean().meta({ description: 'Whether this deployment sends alerts at all' }),
        items: z
          .array(
            z.object({
              id: count,
              owner_id: accountId,
              mandate_id: publicId,
              kind: z.string().max(40),
              severity: z.enum(['info', 'warning', 'critical']),
              text: z.string().max(1_000),
              link: z.string().max(400),
              created_at: instant,
              sent_at: instant.nullable(),
              failure: z.string().max(100).nullable().meta({ description: 'Why it was not sent at its last try' }),
            }),
          )
          .max(100),
        next_cursor: cursor.nullable(),
      }),
    },
    refusals: [common.invalidRequest],
  }),
  setAlertChannel: operation({
    summary: 'Say where your alerts are sent',
    description:
      'Alerts of the last day that were not sent go there too. Null sends none; they can be read all the same.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/me/alert-channel',
    input: z.strictObject({ telegram_chat_id: chatId.nullable() }),
    success: { 200: z.object({ ok: okTrue, telegram_chat_id: chatId.nullable(), sending: z.boolean() }) },
  }),
} as const
