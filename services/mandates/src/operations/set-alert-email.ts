import { randomInt, randomUUID } from 'node:crypto'
import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import { emailNotConfigured, emailRefused } from '@svc/contracts/mandates-alerts'
import { callerOf, Outage, type BoundHandler } from '@svc/service'
import { clientHash } from '../client-hash.ts'
import type { Context } from '../context.ts'
import { CODE_LIFE_MS, CODES_COUNTED_MS, CODES_MAX, hashEmailCode, writeEmailCode } from '../domain/email-code.ts'
import { codeMail } from '../domain/mails.ts'
import { deleteCode, insertCode, lockAndCountCodes } from '../store/email-codes.ts'

/** The code is stored, and counted, before it is sent: whatever ends the process, the limits hold. */
export const setAlertEmail: BoundHandler<Context, typeof mandates.operations.setAlertEmail> =
  ({ pool, alerts }) =>
  async ({ email }, call) => {
    const { mailer } = alerts
    if (mailer === null) return refuse(emailNotConfigured)
    const code = writeEmailCode((limit) => randomInt(limit))
    let codeId = 0
    const answer = await call.effect(async (tx) => {
      const ownerId = callerOf(call).account_id
      const client = clientHash(call.client ?? 'unknown', call.now)
      const sent = await lockAndCountCodes(
        tx,
        { ownerId, email, client },
        new Date(call.now.getTime() - CODES_COUNTED_MS),
      )
      const passed = (['owner', 'address', 'client'] as const).find((whose) => sent[whose] >= CODES_MAX[whose])
      if (passed !== undefined)
        refuse(common.rateLimited, `At most ${CODES_MAX[passed]} codes a day for one ${passed}.`)
      const expiresAt = new Date(call.now.getTime() + CODE_LIFE_MS)
      codeId = await insertCode(tx, { ownerId, email, hash: hashEmailCode(ownerId, code), client, expiresAt }, call.now)
      return ok(202, {
        ok: true as const,
        email_to_verify: email,
        expires_at: expiresAt.toISOString(),
        sending: alerts.sends('email'),
      })
    })
    const delivery = await mailer(email, codeMail(code, `code.${randomUUID()}`))
    if (delivery.sent) return answer
    if (delivery.final) refuse(emailRefused)
    await pool.transaction((tx) => deleteCode(tx, codeId))
    throw new Outage('mail', delivery.failure)
  }
