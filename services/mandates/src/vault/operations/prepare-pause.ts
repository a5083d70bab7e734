import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { nobody } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { callOf, noCall } from '../steering-calls.ts'
import { vaultCalls } from '#books/vault-calls.ts'

export const preparePause: BoundHandler<Context, typeof mandates.operations.preparePause> =
  (context) => async (input, call) => {
    const { mandate, vault } = await attachedMandate(context, input.public_id, call)
    const answer =
      vault.books.agent === nobody
        ? noCall('no_agent_acts', 'Nobody may act through the vault already.')
        : callOf(preparedView(vaultCalls(vault).revokeAgent(), mandate.owner))
    return ok(200, { public_id: mandate.publicId, ...answer })
  }
