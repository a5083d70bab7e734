import { setting } from '@svc/contract'
import { z } from 'zod'
import { dryUntilDenied } from './chain-settings.ts'

const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const WEB_BASE = 'https://localhost'

/** Settings of held calls, alerts and worth. */
export const actingSettings = {
  approvalTtlHours: setting({
    env: 'HUB_APPROVAL_TTL_HOURS',
    schema: count(1, 720),
    default: '24',
    doc: 'Life of a pending or approved approval item, in hours; it starts anew with the approval.',
  }),
  approvalMaxOpen: setting({
    env: 'HUB_APPROVAL_MAX_OPEN',
    schema: count(1, 1000),
    default: '10',
    doc: 'Pending items per mandate; beyond it the agent is refused with rate_limited.',
  }),
  publicWebBase: setting({
    env: 'HUB_PUBLIC_WEB_BASE',
    schema: z.url({ protocol: /^https$/ }).catch(WEB_BASE),
    default: WEB_BASE,
    doc: 'Base of the links in alerts to owners; only https values are accepted, otherwise the default applies.',
  }),
  alertsDryRun: setting({
    env: 'HUB_ALERTS_DRY_RUN',
    schema: dryUntilDenied,
    default: '1',
    doc: 'Alerts worker counts and sends nothing; only 0, false, no or off makes it send.',
  }),
  alertsTelegramToken: setting({
    env: 'HUB_ALERTS_TELEGRAM_TOKEN',
    schema: z.string().regex(/^\d{1,20}:[A-Za-z0-9_-]{20,100}$/, 'must be a token as BotFather gives it'),
    secret: true,
    default: null,
    doc: 'Token of the Telegram bot that sends alerts to owners; without one the channel is off.',
  }),
  alertsTelegramUrl: setting({
    env: 'HUB_ALERTS_TELEGRAM_URL',
    schema: z
      .url()
      .refine(
        (url) => url.startsWith('https://') || /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/?$/.test(url),
        'must be https, or http on this machine',
      ),
    default: 'https://api.telegram.org',
    doc: 'Bot API; another address is for a server of your own, or on this machine for tests.',
  }),
} as const
