import { SettingError } from '@svc/contract'
import type { Delivery } from '@svc/service'
import { createTransport, type NodemailerError } from 'nodemailer'
import type { Mail } from './rules/mails.ts'
import type { SmtpServer } from '@svc/contracts/mandates/settings'

const TIMEOUT_MS = 20_000

/** Sends a plain text to an address. Never throws; the result contains no address and no credential. */
export type Mailer = (address: string, mail: Mail) => Promise<Delivery>

/**
 * Returns a mailer for a server and a sender; null without a server. To a server on another machine nothing is sent before
 * the connection is encrypted and the server's certificate is valid. `timeoutMs` limits the whole delivery of a mail,
 * from the look-up of the server to its answer.
 */
export function openMailer(server: SmtpServer | null, from: string | null, timeoutMs = TIMEOUT_MS): Mailer | null {
  if (server === null) return null
  if (from === null) throw new SettingError('HUB_ALERTS_EMAIL_FROM is required with HUB_ALERTS_SMTP_URL')
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.encryption === 'tls',
    requireTLS: server.encryption === 'starttls',
    ignoreTLS: server.encryption === 'loopback',
    ...(server.login === null ? {} : { auth: server.login }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return async (address, { key, subject, text }) => {
    try {
      await transport.sendMail({
        // Given separately, so that no address is read from a header.
        envelope: { from, to: [address] },
        from: { name: '', address: from },
        to: { name: '', address },
        subject,
        text,
        messageId: `<${key}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { sent: true }
    } catch (error) {
      return failureOf(error)
    }
  }
}

/** RFC 5321: 4yz may succeed at another try; 5yz for the recipient or the message is final. */
function failureOf(error: unknown): Delivery {
  const { responseCode, command, code, originalCode } = error as Partial<NodemailerError>
  if (code === 'ETLS' || /CERT|VERIFY|TLS|SSL/.test(String(originalCode)))
    return { sent: false, failure: 'no encrypted connection to the mail server', final: false }
  if (responseCode === undefined) return { sent: false, failure: 'the mail server could not be reached', final: false }
  const ofThisMail = command === 'RCPT TO' || command === 'DATA'
  return { sent: false, failure: `the mail server answered ${responseCode}`, final: ofThisMail && responseCode >= 500 }
}
