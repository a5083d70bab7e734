import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { designated, draftExpiry, DRAFTS_MAX, mustFitPolicy, possibleAgent, validLimits } from '../checked-draft.ts'
import type { Context } from '#context.ts'
import { mandateIdHash } from '#mandate/mandate-hashes.ts'
import { ownerOf } from '#mandate/parties.ts'
import { exposureOf, mustExposeNobody } from '../exposure.ts'
import { countDrafts, insertMandate } from '../store/drafts.ts'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { summaryView } from '#states/mandate-view.ts'
import { draftLimit } from '@svc/contracts/mandates/refusals'

export const createMandate: BoundHandler<Context, typeof mandates.operations.createMandate> =
  (context) => async (input, call) => {
    const owner = ownerOf(callerOf(call))
    const limits = await validLimits(context, limitsCodec.decode(input), call.now)
    const agent = input.agent_id === null ? null : await possibleAgent(context, input.agent_id, owner.wallet)
    return call.effect(async (tx) => {
      if (agent !== null) {
        await mustFitPolicy(tx, agent, limits, null)
        await mustExposeNobody(tx, context, { agentId: agent.agent_id, ownerId: owner.id, limits })
      }
      if ((await countDrafts(tx, owner.id, call.now)) >= DRAFTS_MAX)
        refuse(draftLimit, undefined, { limit: DRAFTS_MAX })
      const publicId = context.newPublicId()
      const mandate = await insertMandate(
        tx,
        {
          publicId,
          idHash: mandateIdHash(publicId),
          owner,
          claimHash: null,
          name: input.name,
          limits,
          agent: agent === null ? null : designated(agent),
          expiresAt: draftExpiry(call.now),
        },
        call.now,
      )
      await appendEntry(tx, mandate, {
        at: call.now,
        kind: 'drafted',
        source: 'owner',
        body: { name: mandate.name, limits: limitsCodec.encode(mandate.limits), agent_id: input.agent_id },
      })
      const exposure = await exposureOf(tx, input.agent_id, limits)
      return ok(201, { ok: true as const, mandate: summaryView(mandate, null, call.now), exposure })
    })
  }
