import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import type { Context } from '#context.ts'
import { lockMandateOfCaller } from '#mandate/parties.ts'
import { acceptByAgent } from '#mandate/store/mandates.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { stateNow } from '#states/mandate-view.ts'
import { wrongState } from '@svc/contracts/mandates/refusals'

const ACCEPTABLE = ['draft', 'signed', 'working', 'paused'] as const

export const acceptMandate: BoundHandler<Context, typeof mandates.operations.acceptMandate> =
  () => async (input, call) =>
    call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      if (mandate.acceptedAt !== null)
        return ok(200, {
          ok: true as const,
          public_id: mandate.publicId,
          accepted_at: mandate.acceptedAt.toISOString(),
        })
      const state = stateNow(mandate, await vaultOfMandate(tx, mandate.id), call.now)
      if (!ACCEPTABLE.some((one) => one === state)) refuse(wrongState, undefined, { state, allowed: ACCEPTABLE })
      await acceptByAgent(tx, mandate.id, call.now)
      await appendEntry(tx, mandate, {
        at: call.now,
        kind: 'accepted',
        source: 'agent',
        body: { agent_id: mandate.agent?.id ?? null },
      })
      return ok(200, { ok: true as const, public_id: mandate.publicId, accepted_at: call.now.toISOString() })
    })
