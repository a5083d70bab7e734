import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { stateNow } from '#states/mandate-view.ts'
import { legMandates } from '../store/leg-mandates.ts'

export const listAgentMandates: BoundHandler<Context, typeof mandates.operations.listAgentMandates> =
  ({ pool }) =>
  async ({ owner_id: ownerId, agent_id: agentId }, call) => {
    const rows = await legMandates(pool, { ownerId, agentId }, call.now)
    return ok(200, {
      mandates: rows.map(({ mandate, vault, signedMarkets }) => ({
        public_id: mandate.publicId,
        state: stateNow(mandate, vault, call.now),
        per_tx_cap_usdc: limitsCodec.encode(mandate.limits).per_tx_cap_usdc,
        markets: [...(signedMarkets ?? mandate.limits.markets)],
      })),
    })
  }
