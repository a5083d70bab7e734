import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { EMAIL_CODE_TRIES, emailCodeWrong, noEmailCode } from '@svc/contracts/mandates-alerts'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { hashEmailCode, isSameHash } from '../domain/email-code.ts'
import { storeChannel } from '../store/alerts.ts'
import { endCodes, takeCodeTry } from '../store/email-codes.ts'

export const verifyAlertEmail: BoundHandler<Context, typeof mandates.operations.verifyAlertEmail> =
  ({ pool, alerts }) =>
  async ({ code }, call) => {
    const ownerId = callerOf(call).account_id
    // Refused after the commit: a refusal inside would undo the count of a wrong try.
    const tried = await pool.transaction(async (tx) => {
      const newest = await takeCodeTry(tx, ownerId, call.now)
      if (newest === null) return null
      const right = isSameHash(newest.code_hash, hashEmailCode(ownerId, code))
      if (right) {
        await storeChannel(tx, { ownerId, channel: 'email', address: newest.email }, call.now)
        await endCodes(tx, ownerId, call.now)
      }
      return { ...newest, right }
    })
    if (tried === null) return refuse(noEmailCode)
    if (!tried.right) return refuse(emailCodeWrong, undefined, { tries_left: EMAIL_CODE_TRIES - tried.tries })
    return ok(200, {
      ok: true as const,
      email: tried.email,
      sending: alerts.sends('email'),
    })
  }
