import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { nobody } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import { preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { callOf, noCall } from '../steering-calls.ts'
import { stateNow } from '#states/mandate-view.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import { wrongState } from '@svc/contracts/mandates/refusals'

export const prepareResume: BoundHandler<Context, typeof mandates.operations.prepareResume> =
  (context) => async (input, call) => {
    const { mandate, vault } = await attachedMandate(context, input.public_id, call)
    const state = stateNow(mandate, vault, call.now)
    if (state !== 'paused' || mandate.agent === null) refuse(wrongState, undefined, { state, allowed: ['paused'] })
    const answer =
      vault.books.agent === nobody
        ? callOf(preparedView(vaultCalls(vault).setAgent({ agent_: getAddress(mandate.agent.wallet) }), mandate.owner))
        : noCall(
            'foreign_agent',
            `Another agent, ${getAddress(vault.books.agent)}, may act: revoke it with the call of pause-call first.`,
          )
    return ok(200, { public_id: mandate.publicId, ...answer })
  }
