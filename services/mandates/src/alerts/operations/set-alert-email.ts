import { randomUUID } from 'node:crypto'
import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { codeMail } from '../rules/mails.ts'
import { sendCode } from '../prove-address.ts'
import { emailNotConfigured, emailRefused } from '@svc/contracts/mandates/alerts'

export const setAlertEmail: BoundHandler<Context, typeof mandates.operations.setAlertEmail> =
  (context) =>
  async ({ email }, call) => {
    const { alerts } = context
    const { mailer } = alerts
    if (mailer === null) return refuse(emailNotConfigured)
    const send = (code: string) => mailer(email, codeMail(code, `code.${randomUUID()}`))
    const expiresAt = await sendCode(context, call, { channel: 'email', address: email }, send, emailRefused)
    return ok(202, {
      ok: true as const,
      email_to_verify: email,
      expires_at: expiresAt.toISOString(),
      sending: alerts.sends('email'),
    })
  }
