import { setting } from '@svc/contract'
import { z } from 'zod'

/** Token of a Telegram bot, as BotFather issues it. */
export const botToken = z.string().regex(/^\d{1,20}:[A-Za-z0-9_-]{20,100}$/, 'must be a bot token from BotFather')

/** Settings of messages by Telegram. */
export const telegramSettings = {
  url: setting({
    env: 'HUB_ALERTS_TELEGRAM_URL',
    schema: z
      .url()
      .refine(
        (url) => url.startsWith('https://') || /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/?$/.test(url),
        'must be https, or http on this machine',
      ),
    default: 'https://api.telegram.org',
    doc: 'Address of the Bot API; change it for a Bot API server of your own, or for tests on this machine.',
  }),
  opsChatId: setting({
    env: 'SVC_OPS_CHAT_ID',
    schema: z.string().regex(/^-?[1-9]\d{0,15}$/, 'must be the numeric id of a chat'),
    default: null,
    doc: 'Chat that receives messages for the operators of the deployment; without it, or without SVC_OPS_BOT_TOKEN, they are stored and logged only.',
  }),
  opsBotToken: setting({
    env: 'SVC_OPS_BOT_TOKEN',
    schema: botToken,
    default: null,
    secret: true,
    doc: 'Token of the Telegram bot that writes to SVC_OPS_CHAT_ID.',
  }),
} as const
