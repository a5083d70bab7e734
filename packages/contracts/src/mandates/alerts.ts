import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, instant, okTrue, queryInt } from '../common.ts'
import { count, publicId } from './fields.ts'

const chatId = z
  .string()
  .regex(/^-?[1-9]\d{0,15}$/, 'use the numeric id of your chat with the bot')
  .max(17)
  .meta({ description: 'Your chat with the bot of this deployment; start the bot first', example: '123456789' })

const email = z
  .email('write one plain address such as owner@example.org, with ASCII letters only')
  .max(254)
  .meta({ description: 'One plain e-mail address', example: 'owner@example.org' })

/** Channels by which alerts are sent to owners. */
export const alertChannels = ['telegram', 'email'] as const
export type AlertChannel = (typeof alertChannels)[number]

/** Greatest number of wrong tries of a code. */
export const CODE_TRIES = 5

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write hours and minutes, such as 07:30')
  .max(5)
const quietHours = z
  .strictObject({ from: timeOfDay, to: timeOfDay })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from from; use null for no quiet hours' })
const timeZone = z.string().max(64).refine(isTimeZone, 'use the IANA name of a time zone, such as Europe/Berlin')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** When alerts are sent that are not critical. */
const alertTimes = {
  time_zone: timeZone.meta({ description: 'Time zone of the other members', example: 'Europe/Berlin' }),
  quiet: quietHours.nullable().meta({
    description:
      'Hours in which only critical alerts are sent; they include midnight if from is later than to; null for no quiet hours',
    example: { from: '22:00', to: '07:00' },
  }),
  digest_at: timeOfDay.nullable().meta({
    description:
      'When one message with the alerts of a day is sent, critical ones excepted; null sends each alert separately',
    example: '08:00',
  }),
}

const code = z
  .string()
  .regex(/^[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}$/, 'write the eight characters of the code, such as 7KQ2-M9XD')
  .max(9)
const triesLeft = z.object({ tries_left: z.int().min(0).max(CODE_TRIES) })

export const telegramNotConfigured = refusal('hub_telegram_not_configured', {
  status: 409,
  title: 'Telegram is not configured',
  meaning: 'This deployment has no Telegram bot.',
  fix: 'Use PUT /hub/me/alert-email, or read GET /hub/me/alerts. Operators set HUB_ALERTS_TELEGRAM_TOKEN.',
})
export const telegramRefused = refusal('hub_telegram_refused', {
  status: 422,
  title: 'Chat not reachable',
  meaning: 'The bot cannot write to this chat: no chat has this id, or the bot was not started in it.',
  fix: 'Start the bot in your chat and use the numeric id of that chat.',
})
export const telegramCodeWrong = refusal('hub_telegram_code_wrong', {
  status: 422,
  title: 'Wrong code',
  meaning: 'This is not the code that was sent last.',
  fix: 'Use the code of the newest message; tries_left is the number of tries that are left.',
  details: triesLeft,
})
export const noTelegramCode = refusal('hub_no_telegram_code', {
  status: 409,
  title: 'No valid code',
  meaning: 'There is no valid code: none was sent, or it was used, expired after 15 minutes, or was tried too often.',
  fix: 'Request a new code with PUT /hub/me/alert-channel.',
})
export const emailNotConfigured = refusal('hub_email_not_configured', {
  status: 409,
  title: 'E-mail is not configured',
  meaning: 'This deployment sends no e-mail.',
  fix: 'Use PUT /hub/me/alert-channel for Telegram, or read GET /hub/me/alerts. Operators set HUB_ALERTS_SMTP_URL.',
})
export const emailRefused = refusal('hub_email_refused', {
  status: 422,
  title: 'Address rejected',
  meaning: 'The mail server rejects mail for this address.',
  fix: 'Correct the address, or use another one.',
})
export const emailCodeWrong = refusal('hub_email_code_wrong', {
  status: 422,
  title: 'Wrong code',
  meaning: 'This is not the code that was sent last.',
  fix: 'Use the code of the newest mail; tries_left is the number of tries that are left.',
  details: triesLeft,
})
export const noEmailCode = refusal('hub_no_email_code', {
  status: 409,
  title: 'No valid code',
  meaning: 'There is no valid code: none was sent, or it was used, expired after 15 minutes, or was tried too often.',
  fix: 'Request a new code with PUT /hub/me/alert-email.',
})

/** Operations on alerts of owners, their times and channels. */
export const alertOperations = {
  listAlerts: operation({
    summary: 'List the alerts about the mandates that you own, newest first',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/me/alerts',
    input: z.strictObject({
      limit: queryInt(1, 100, 50),
      cursor: cursor.optional(),
      open: z.literal('1').optional().meta({ description: '1 lists only alerts that are not resolved', example: '1' }),
    }),
    success: {
      200: z.object({
        telegram_chat_id: chatId.nullable().meta({ description: 'Verified chat for alerts; null if none is set' }),
        telegram_chat_id_to_verify: chatId
          .nullable()
          .meta({ description: 'Chat to which a code was sent, while the code is valid' }),
        email: email.nullable().meta({ description: 'Verified address for alerts; null if none is set' }),
        email_to_verify: email
          .nullable()
          .meta({ description: 'Address to which a code was sent, while the code is valid' }),
        sending: z
          .object({ telegram: z.boolean(), email: z.boolean() })
          .meta({ description: 'True for each channel by which this deployment sends alerts' }),
        times: z.object(alertTimes).meta({ description: 'When alerts are sent that are not critical' }),
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
                .meta({ description: 'When the request of the alert ends without your action; null if it does not' }),
              resolved_at: instant.nullable().meta({
                description:
                  "When nothing was left to do: a held call was decided or has lapsed, the mandate changed its state, the foreign agent may no longer act, or the agent's key was replaced or has expired. Null while the alert is open",
              }),
              sent_at: instant.nullable().meta({ description: 'When the alert was first sent, by any channel' }),
              deliveries: z
                .array(
                  z.object({
                    channel: z.enum(alertChannels),
                    tries: count,
                    sent_at: instant.nullable(),
                    failure: z.string().max(100).nullable().meta({ description: 'Why the last try failed' }),
                  }),
                )
                .max(alertChannels.length)
                .meta({ description: 'Tries by channel' }),
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
      'Critical alerts are sent at once at any hour. An alert whose request would end before the digest, such as a held call, is sent without waiting for it. ' +
      'The new times also apply to alerts that wait to be sent.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/me/alert-times',
    input: z.strictObject(alertTimes),
    success: { 200: z.object({ ok: okTrue, ...alertTimes }) },
    refusals: [common.invalidRequest],
  }),
  setAlertChannel: operation({
    summary: 'Request a code that proves your Telegram chat, to receive alerts there',
    description:
      'The bot sends a code to the chat. Alerts are sent there once you send the code with POST /hub/me/alert-channel/verify, within 15 minutes and 5 tries; an earlier chat stays until then. ' +
      'A new code replaces the earlier one. An owner and a chat can request 5 codes a day, a client address 20. Null removes chat and code; alerts can still be read.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/me/alert-channel',
    timeoutMs: 30_000,
    input: z.strictObject({ telegram_chat_id: chatId.nullable().meta({ example: '123456789' }) }),
    success: {
      200: z.object({ ok: okTrue, telegram_chat_id: z.null(), sending: z.boolean() }),
      202: z.object({ ok: okTrue, telegram_chat_id_to_verify: chatId, expires_at: instant, sending: z.boolean() }),
    },
    refusals: [telegramNotConfigured, telegramRefused, common.rateLimited],
  }),
  verifyAlertChannel: operation({
    summary: 'Verify your Telegram chat by its code, so that alerts are sent there',
    description: 'Alerts of the last day that were not sent by Telegram are sent there too.',
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
    summary: 'Request a code that proves your e-mail address, to receive alerts there',
    description:
      'Alerts are sent there once you send the code with POST /hub/me/alert-email/verify, within 15 minutes and 5 tries; an earlier address stays until then. ' +
      'A new code replaces the earlier one. An owner and an address can request 5 codes a day, a client address 20.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/me/alert-email',
    timeoutMs: 30_000,
    input: z.strictObject({ email }),
    success: { 202: z.object({ ok: okTrue, email_to_verify: email, expires_at: instant, sending: z.boolean() }) },
    refusals: [emailNotConfigured, emailRefused, common.rateLimited],
  }),
  verifyAlertEmail: operation({
    summary: 'Verify your e-mail address by its code, so that alerts are sent there',
    description: 'Alerts of the last day that were not sent by e-mail are sent there too.',
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
    summary: 'Stop alerts by e-mail and delete your address',
    description: 'Also deletes a code that is still valid. Succeeds if no address is set.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'DELETE /hub/me/alert-email',
    input: z.strictObject({}),
    success: { 200: z.object({ ok: okTrue }) },
  }),
} as const

/** Jobs on alerts. */
export const alertJobs = {
  sendAlerts: job({
    summary: 'Send alerts to owners',
    everyMs: 60_000,
    dryRun: 'alertsDryRun',
    max: 100,
    budgetSec: 50,
  }),
  watchAgentKeys: job({
    summary: 'Alert owners before the API keys of their agents expire, and resolve these alerts',
    everyMs: 600_000,
    max: 500,
    budgetSec: 30,
  }),
  forgetCodes: job({
    summary: 'Delete codes that were sent to owners more than a day ago',
    everyMs: 600_000,
    max: 10_000,
    budgetSec: 30,
  }),
} as const
