import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, instant, okTrue, queryInt } from '../common.ts'
import { count, publicId } from './fields.ts'

const chatId = z
  .string()
  .regex(/^-?[1-9]\d{0,15}$/, 'use the numeric id of your chat with the bot')
  .max(17)
  .meta({ description: 'Your chat with the bot of this deployment: start it first', example: '123456789' })

const email = z
  .email('write one plain address, like owner@example.org; letters outside ASCII are not taken')
  .max(254)
  .meta({ description: 'One plain e-mail address', example: 'owner@example.org' })

/** Ways in which alerts reach owners. */
export const alertChannels = ['telegram', 'email'] as const
export type AlertChannel = (typeof alertChannels)[number]

/** Wrong codes that may be tried of one that was sent. */
export const CODE_TRIES = 5

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write hours and minutes, like 07:30')
  .max(5)
const quietHours = z
  .strictObject({ from: timeOfDay, to: timeOfDay })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from from; use null for no quiet hours' })
const timeZone = z.string().max(64).refine(isTimeZone, 'use the IANA name of a time zone, like Europe/Berlin')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** When alerts that are not critical are sent. */
const alertTimes = {
  time_zone: timeZone.meta({ description: 'Zone of the other times', example: 'Europe/Berlin' }),
  quiet: quietHours.nullable().meta({
    description:
      'Hours in which only critical alerts are sent; over midnight when from is later than to; null for none',
    example: { from: '22:00', to: '07:00' },
  }),
  digest_at: timeOfDay.nullable().meta({
    description: 'When the alerts of a day that are not critical are sent in one message; null sends each for itself',
    example: '08:00',
  }),
}

const code = z
  .string()
  .regex(/^[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}$/, 'write the eight characters of the code, like 7KQ2-M9XD')
  .max(9)
const triesLeft = z.object({ tries_left: z.int().min(0).max(CODE_TRIES) })

export const telegramNotConfigured = refusal('hub_telegram_not_configured', {
  status: 409,
  title: 'No Telegram bot here',
  meaning: 'This deployment has no Telegram bot.',
  fix: 'Use PUT /hub/me/alert-email, or read GET /hub/me/alerts; operators set HUB_ALERTS_TELEGRAM_TOKEN.',
})
export const telegramRefused = refusal('hub_telegram_refused', {
  status: 422,
  title: 'Chat refused',
  meaning: 'The bot cannot write to this chat: there is none of this id, or the bot was not started in it.',
  fix: 'Start the bot in your chat, and send the numeric id of that chat.',
})
export const telegramCodeWrong = refusal('hub_telegram_code_wrong', {
  status: 422,
  title: 'Wrong code',
  meaning: 'This is not the code that was sent last.',
  fix: 'Take the code from the newest message; tries_left says how often you may try it.',
  details: triesLeft,
})
export const noTelegramCode = refusal('hub_no_telegram_code', {
  status: 409,
  title: 'No code waits',
  meaning: 'No code waits to be shown: none was sent, or it is used, over after 15 minutes, or was tried too often.',
  fix: 'Have a new one sent with PUT /hub/me/alert-channel.',
})
export const emailNotConfigured = refusal('hub_email_not_configured', {
  status: 409,
  title: 'No e-mail here',
  meaning: 'This deployment sends no e-mail.',
  fix: 'Use Telegram with PUT /hub/me/alert-channel, or read GET /hub/me/alerts; operators set HUB_ALERTS_SMTP_URL.',
})
export const emailRefused = refusal('hub_email_refused', {
  status: 422,
  title: 'Address refused',
  meaning: 'The mail server takes no mail for this address.',
  fix: 'Look for a typing error, or use another address.',
})
export const emailCodeWrong = refusal('hub_email_code_wrong', {
  status: 422,
  title: 'Wrong code',
  meaning: 'This is not the code that was sent last.',
  fix: 'Take the code from the newest mail; tries_left says how often you may try it.',
  details: triesLeft,
})
export const noEmailCode = refusal('hub_no_email_code', {
  status: 409,
  title: 'No code waits',
  meaning: 'No code waits to be shown: none was sent, or it is used, over after 15 minutes, or was tried too often.',
  fix: 'Have a new one sent with PUT /hub/me/alert-email.',
})

/** What owners are told, and where. */
export const alertOperations = {
  listAlerts: operation({
    summary: 'List what you were told about your mandates, newest first',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/me/alerts',
    input: z.strictObject({
      limit: queryInt(1, 100, 50),
      cursor: cursor.optional(),
      open: z
        .literal('1')
        .optional()
        .meta({ description: '1 lists only the alerts that are not resolved', example: '1' }),
    }),
    success: {
      200: z.object({
        telegram_chat_id: chatId
          .nullable()
          .meta({ description: 'Verified chat where alerts are sent; null sends none' }),
        telegram_chat_id_to_verify: chatId
          .nullable()
          .meta({ description: 'Chat that a code was sent to, while it can be shown' }),
        email: email.nullable().meta({ description: 'Verified address where alerts are sent; null sends none' }),
        email_to_verify: email
          .nullable()
          .meta({ description: 'Address that a code was sent to, while it can be shown' }),
        sending: z
          .object({ telegram: z.boolean(), email: z.boolean() })
          .meta({ description: 'Which channels this deployment sends alerts through' }),
        times: z.object(alertTimes).meta({ description: 'When alerts that are not critical are sent' }),
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
              ends_at: instant
                .nullable()
                .meta({ description: 'When what it asks for is over by itself; null when it is not' }),
              resolved_at: instant.nullable().meta({
                description:
                  'When nothing was left to do about it: a held call was decided or is over, the mandate moved on, another agent may not act any more; null while it is open',
              }),
              sent_at: instant.nullable().meta({ description: 'When it was first sent, by whichever channel' }),
              deliveries: z
                .array(
                  z.object({
                    channel: z.enum(alertChannels),
                    tries: count,
                    sent_at: instant.nullable(),
                    failure: z.string().max(100).nullable().meta({ description: 'Why the last try did not send it' }),
                  }),
                )
                .max(alertChannels.length)
                .meta({ description: 'The channels by which it was tried' }),
            }),
          )
          .max(100),
        next_cursor: cursor.nullable(),
      }),
    },
    refusals: [common.invalidRequest],
  }),
  setAlertTimes: operation({
    summary: 'Set your quiet hours and the time of your daily digest',
    description:
      'Critical alerts are sent at once, whatever the hour. An alert that would be over before the digest, like a held call, is sent outside it. ' +
      'Alerts that wait to be sent follow the new times.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/me/alert-times',
    input: z.strictObject(alertTimes),
    success: { 200: z.object({ ok: okTrue, ...alertTimes }) },
    refusals: [common.invalidRequest],
  }),
  setAlertChannel: operation({
    summary: 'Have a code sent to the Telegram chat where you want alerts',
    description:
      'Alerts go there once you show the code with POST /hub/me/alert-channel/verify, within 15 minutes and 5 tries; until then an earlier chat stays. ' +
      'A new code ends the one before. 5 codes a day for an owner and for a chat, 20 for a client address. Null forgets chat and code: alerts can be read all the same.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/me/alert-channel',
    timeoutMs: 30_000,
    input: z.strictObject({ telegram_chat_id: chatId.nullable() }),
    success: {
      200: z.object({ ok: okTrue, telegram_chat_id: z.null(), sending: z.boolean() }),
      202: z.object({ ok: okTrue, telegram_chat_id_to_verify: chatId, expires_at: instant, sending: z.boolean() }),
    },
    refusals: [telegramNotConfigured, telegramRefused, common.rateLimited],
  }),
  verifyAlertChannel: operation({
    summary: 'Show the code that was sent to your chat: alerts go there from now on',
    description: 'Alerts of the last day that were not sent by Telegram go there too.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/me/alert-channel/verify',
    input: z.strictObject({
      code: code.meta({ description: 'The code of the newest message', example: '7KQ2-M9XD' }),
    }),
    success: { 200: z.object({ ok: okTrue, telegram_chat_id: chatId, sending: z.boolean() }) },
    refusals: [telegramCodeWrong, noTelegramCode],
  }),
  setAlertEmail: operation({
    summary: 'Have a code sent to the address where you want alerts',
    description:
      'Alerts go there once you show the code with POST /hub/me/alert-email/verify, within 15 minutes and 5 tries; until then an earlier address stays. ' +
      'A new code ends the one before. 5 codes a day for an owner and for an address, 20 for a client address.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/me/alert-email',
    timeoutMs: 30_000,
    input: z.strictObject({ email }),
    success: { 202: z.object({ ok: okTrue, email_to_verify: email, expires_at: instant, sending: z.boolean() }) },
    refusals: [emailNotConfigured, emailRefused, common.rateLimited],
  }),
  verifyAlertEmail: operation({
    summary: 'Show the code that was sent to your address: alerts go there from now on',
    description: 'Alerts of the last day that were not sent by e-mail go there too.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/me/alert-email/verify',
    input: z.strictObject({
      code: code.meta({ description: 'The code of the newest mail', example: '7KQ2-M9XD' }),
    }),
    success: { 200: z.object({ ok: okTrue, email, sending: z.boolean() }) },
    refusals: [emailCodeWrong, noEmailCode],
  }),
  removeAlertEmail: operation({
    summary: 'Stop alerts by e-mail and forget the address',
    description: 'A code that waits is forgotten too. Nothing to remove is a success.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'DELETE /hub/me/alert-email',
    input: z.strictObject({}),
    success: { 200: z.object({ ok: okTrue }) },
  }),
} as const

/** Background work on alerts. */
export const alertJobs = {
  sendAlerts: job({ summary: 'Send owners what they must know', everyMs: 60_000, max: 100, budgetSec: 50 }),
  forgetCodes: job({
    summary: 'Delete codes that were sent to chats and addresses of owners more than a day ago',
    everyMs: 600_000,
    max: 10_000,
    budgetSec: 30,
  }),
} as const
