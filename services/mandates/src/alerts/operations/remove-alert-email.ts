import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { storeChannel } from '../store/alerts.ts'
import { endCodes } from '../store/channel-codes.ts'

export const removeAlertEmail: BoundHandler<Context, typeof mandates.operations.removeAlertEmail> =
  () => async (_input, call) =>
    call.effect(async (tx) => {
      const ownerId = callerOf(call).account_id
      await storeChannel(tx, { ownerId, channel: 'email', address: null }, call.now)
      await endCodes(tx, ownerId, 'email', call.now)
      return ok(200, { ok: true as const })
    })
