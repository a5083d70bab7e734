import { protectingSwitchWord, setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { listOf } from '../common.ts'
import { chainSettings } from '../common/chain-settings.ts'
import { houseSettings } from '../common/house-settings.ts'
import { legSettings } from '../common/leg-settings.ts'
import { botToken, telegramSettings } from '../common/telegram-settings.ts'
import { publicWebBase } from '../common/web-base.ts'

const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Settings of mandates. */
export const mandatesSettings = {
  chainId: chainSettings.chainId,
  deploymentFile: chainSettings.deploymentFile,
  factoryAddress: chainSettings.factoryAddress,
  factoryV2Address: chainSettings.factoryV2Address,
  usdcAddress: chainSettings.usdcAddress,
  legGatewayAddress: chainSettings.legGatewayAddress,
  testVenueTargets: chainSettings.testVenueTargets,
  testVenueInstruments: setting({
    env: 'HUB_TEST_VENUE_INSTRUMENTS',
    schema: listOf(z.string().regex(/^[A-Z0-9]{1,31}$/), 100),
    default: '',
    doc: 'Names of what the test venue trades, separated by commas, as GET /hub/markets lists them; empty: none is known, and a call may name any.',
  }),
  confirmations: chainSettings.confirmations,
  approvalEnabled: setting({
    env: 'HUB_APPROVAL_ENABLED',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Clause 6: execute-call holds calls above the approval amount for the owner; off: no call is held and clause 6 reads stored_pending.',
  }),
  settleGraceEnabled: setting({
    env: 'HUB_SETTLE_GRACE_ENABLED',
    schema: switchWord,
    default: '0',
    doc: '1: between endsAt and one day later, close-all-plan omits stop() and stop-call returns a reason instead of a call; keep 0 while the deployed vault lets the owner stop at any time.',
  }),
  hlLegEnabled: legSettings.legEnabled,
  legFunding: legSettings.legFunding,
  legMinUsdc: legSettings.legMinUsdc,
  network: legSettings.network,
  houseRunnerId: houseSettings.houseRunnerId,
  bestWayIn: setting({
    env: 'HUB_BEST_WAY_IN',
    schema: z
      .string()
      .max(500)
      .transform((text, check) => {
        try {
          return JSON.parse(text) as unknown
        } catch {
          check.addIssue({ code: 'custom', message: 'must be JSON' })
          return z.NEVER
        }
      })
      .pipe(z.strictObject({ chain: z.string().min(1).max(60), asset: z.string().min(1).max(40) })),
    default: null,
    doc: 'JSON {"chain","asset"}: destination of deposit routes while no USDC contract is configured.',
  }),
  approvalTtlHours: setting({
    env: 'HUB_APPROVAL_TTL_HOURS',
    schema: z.coerce.number().min(0.01).max(720),
    default: '24',
    doc: 'Lifetime of a held call in hours, 0.01 to 720, fractions allowed: 0.05 is three minutes. The approval restarts it.',
  }),
  approvalMaxOpen: setting({
    env: 'HUB_APPROVAL_MAX_OPEN',
    schema: count(1, 1000),
    default: '10',
    doc: 'Most pending items of a mandate; further calls are rejected with rate_limited.',
  }),
  publicWebBase,
  publicUrl: setting({
    env: 'SVC_PUBLIC_URL',
    schema: z.url({ protocol: /^https?$/ }),
    default: 'http://127.0.0.1:8080',
    doc: 'Address under which clients reach the API; base of the links in alerts without HUB_PUBLIC_WEB_BASE.',
  }),
  alertsDryRun: setting({
    env: 'HUB_ALERTS_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Dry run of sendAlerts: it counts alerts and sends none. Only 0, false, no or off makes it send.',
  }),
  alertsTelegramToken: setting({
    env: 'HUB_ALERTS_TELEGRAM_TOKEN',
    schema: botToken,
    secret: true,
    default: null,
    doc: 'Token of the Telegram bot that sends alerts to owners; without a token the channel is off.',
  }),
  alertsTelegramUrl: telegramSettings.url,
  alertsSmtpUrl: setting({
    env: 'HUB_ALERTS_SMTP_URL',
    schema: z.string().max(1_000).transform(smtpServer),
    secret: true,
    default: null,
    doc: 'Mail server that sends alerts to owners: smtps://user:password@host (465), or smtp://user:password@host (587), where STARTTLS is required except on 127.0.0.1, localhost and [::1]. Percent-encode special characters. Without a server the channel is off.',
  }),
  alertsEmailFrom: setting({
    env: 'HUB_ALERTS_EMAIL_FROM',
    schema: z.email().max(254),
    default: null,
    doc: 'Sender of mails to owners, one plain address; required with HUB_ALERTS_SMTP_URL.',
  }),
} as const

/** A mail server, with the encryption of its connection: TLS from the start, STARTTLS, or none on this machine. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly encryption: 'tls' | 'starttls' | 'loopback'
  readonly login: { readonly user: string; readonly pass: string } | null
}

/** Parses the address of a mail server. The issue never contains the address, which includes the password. */
function smtpServer(text: string, check: z.RefinementCtx): SmtpServer {
  try {
    const { protocol, hostname, port, username, password, pathname, search } = new URL(text)
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const known = protocol === 'smtps:' || protocol === 'smtp:'
    if (known && host !== '' && (username === '') === (password === '') && /^\/?$/.test(pathname) && search === '') {
      const clear = /^(127\.0\.0\.1|localhost|::1)$/.test(host) ? 'loopback' : 'starttls'
      return {
        host,
        port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
        encryption: protocol === 'smtps:' ? 'tls' : clear,
        login: username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }
    }
  } catch {
    // Reported below, without the text.
  }
  check.addIssue({ code: 'custom', message: 'must be smtps://user:password@host or smtp://user:password@host' })
  return z.NEVER
}
