import type { SettingsOf } from '@svc/contract'
import { alertMail, alertText } from './rules/mails.ts'
import type { AlertSender } from './delivery.ts'
import { openMailer, type Mailer } from './mailer.ts'
import { openTelegram, type Telegram } from './telegram.ts'
import type { mandatesSettings } from '@svc/contracts/mandates/settings'
import type { AlertChannel } from '@svc/contracts/mandates/alerts'

/** The ways by which owners hear of alerts. */
export interface AlertChannels {
  /** What sends alerts, by channel; null where none is configured. */
  readonly senders: Readonly<Record<AlertChannel, AlertSender | null>>
  /** Sends mails to owners; null while no server is configured. */
  readonly mailer: Mailer | null
  /** Writes to chats of owners; null while no bot is configured. */
  readonly telegram: Telegram | null
  /** Alerts are counted and not sent. */
  readonly dryRun: boolean
  /** Whether alerts are sent by a channel: it is configured, and this is no dry run. */
  sends(channel: AlertChannel): boolean
  /** Address of a mandate's page. */
  linkTo(publicId: string): string
}

/** Opens the configured channels; connects to none yet. Throws `SettingError`. */
export function openAlertChannels(settings: SettingsOf<typeof mandatesSettings>): AlertChannels {
  const mailer = openMailer(settings.alertsSmtpUrl, settings.alertsEmailFrom)
  const telegram = openTelegram(settings.alertsTelegramUrl, settings.alertsTelegramToken)
  const senders: AlertChannels['senders'] = {
    telegram: telegram === null ? null : (chat, alerts) => telegram(chat, alertText(alerts)),
    email: mailer === null ? null : (address, alerts) => mailer(address, alertMail(alerts)),
  }
  const base = settings.publicWebBase ?? settings.publicUrl
  return {
    senders,
    mailer,
    telegram,
    dryRun: settings.alertsDryRun,
    sends: (channel) => senders[channel] !== null && !settings.alertsDryRun,
    linkTo: (publicId) => `${base.replace(/\/$/, '')}/ui/mandates/${publicId}`,
  }
}
