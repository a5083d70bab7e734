import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { takeCode } from '../prove-address.ts'
import { emailCodeWrong, noEmailCode } from '@svc/contracts/mandates/alerts'

export const verifyAlertEmail: BoundHandler<Context, typeof mandates.operations.verifyAlertEmail> =
  (context) =>
  async ({ code }, call) => {
    const email = await takeCode(context, call, 'email', code, { wrong: emailCodeWrong, none: noEmailCode })
    return ok(200, { ok: true as const, email, sending: context.alerts.sends('email') })
  }
