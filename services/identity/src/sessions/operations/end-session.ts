import { ok } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { emit } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import type { Context } from '#context.ts'
import { endSession as endStored } from '../store/sessions.ts'

export const endSession: BoundHandler<Context, typeof identity.operations.endSession> = () => async (_input, call) => {
  const { account_id, session_id } = callerOf(call)
  if (session_id === null) throw new Error('an owner called without a session')
  return call.effect(async (tx) => {
    if (await endStored(tx, session_id, 'logout', call.now)) {
      await emit(tx, identity.events.sessionEnded, {
        account_id,
        session_id,
        reason: 'logout',
        ended_at: call.now.toISOString(),
      })
    }
    return ok(200, { ok: true })
  })
}
