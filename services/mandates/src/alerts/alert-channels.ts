import type { SettingsOf } from '@svc/contract'
import { openTelegram, type Telegram } from '@svc/service'
import { alertMail, alertText } from './rules/mails.ts'
import type { AlertSender } from './delivery.ts'
import { openMailer, type Mailer } from './mailer.ts'
import type { mandatesSettings } from '@svc/contracts/mandates/settings'
import type { AlertChannel } from '@svc/contracts/mandates/alerts'

/** The channels by which alerts are sent to owners. */
export interface AlertChannels {
  /** Senders of alerts by channel; null if the channel is not configured. */
  readonly senders: Readonly<Record<AlertChannel, AlertSender | null>>
  /** Sends mails to owners; null if no server is configured. */
  readonly mailer: Mailer | null
  /** Sends messages to chats of owners; null if no bot is configured. */
  readonly telegram: Telegram | null
  /** True if alerts are counted and not sent. */
  readonly dryRun: boolean
  /** Returns true if alerts are sent by a channel: it is configured, and this is not a dry run. */
  sends(channel: AlertChannel): boolean
  /** Returns the address of a mandate's page. */
  linkTo(publicId: string): string
}

/** Creates the configured channels without connecting to them. Throws `SettingError`. */
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
