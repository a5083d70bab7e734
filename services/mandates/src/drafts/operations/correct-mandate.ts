import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { acceptanceOf, designated, draftExpiry, mustFitPolicy, possibleAgent, validLimits } from '../checked-draft.ts'
import type { Context } from '#context.ts'
import { ownerOf, mandateOfCaller, lockMandateOfCaller } from '#mandate/parties.ts'
import { exposureOf, mustExposeNobody } from '../exposure.ts'
import { correctDraft } from '../store/drafts.ts'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { summaryView } from '#states/mandate-view.ts'
import { mandateNotDraft } from '@svc/contracts/mandates/refusals'

export const correctMandate: BoundHandler<Context, typeof mandates.operations.correctMandate> =
  (context) => async (input, call) => {
    const owner = ownerOf(callerOf(call))
    const found = await mandateOfCaller(context.pool, input.public_id, call)
    if (found.state !== 'draft') refuse(mandateNotDraft, undefined, { state: found.state })
    const limits = await validLimits(context, limitsCodec.decode(input), call.now)
    const agent = input.agent_id === null ? null : await possibleAgent(context, input.agent_id, owner.wallet)
    return call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      if (mandate.state !== 'draft') refuse(mandateNotDraft, undefined, { state: mandate.state })
      if (agent !== null) {
        await mustFitPolicy(tx, agent, limits, mandate.id)
        await mustExposeNobody(tx, context, { agentId: agent.agent_id, ownerId: owner.id, limits })
      }
      const designation = agent === null ? null : designated(agent)
      const change = {
        name: input.name,
        limits,
        agent: designation,
        acceptedAt: acceptanceOf(mandate, { limits, agent: designation }),
        expiresAt: draftExpiry(call.now),
      }
      const corrected = await correctDraft(tx, mandate.id, change, call.now)
      await appendEntry(tx, corrected, {
        at: call.now,
        kind: 'corrected',
        source: 'owner',
        body: { name: corrected.name, limits: limitsCodec.encode(corrected.limits), agent_id: input.agent_id },
      })
      const exposure = await exposureOf(tx, input.agent_id, limits)
      return ok(200, { ok: true as const, mandate: summaryView(corrected, null, call.now), exposure })
    })
  }
