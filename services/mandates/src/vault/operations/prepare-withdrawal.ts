import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { callOf, noCall } from '../steering-calls.ts'
import { lockView } from '#states/mandate-view.ts'
import { vaultCalls } from '#books/vault-calls.ts'

export const prepareWithdrawal: BoundHandler<Context, typeof mandates.operations.prepareWithdrawal> =
  (context) => async (input, call) => {
    const { mandate, vault } = await attachedMandate(context, input.public_id, call)
    const lock = lockView(mandate, vault, call.now)
    const answer = lock.locked
      ? noCall(lock.reason ?? 'open', lock.detail ?? '', lock.until === null ? null : new Date(lock.until))
      : callOf(preparedView(vaultCalls(vault).withdrawAll(), mandate.owner))
    return ok(200, { public_id: mandate.publicId, ...answer, lock })
  }
