import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { acceptanceOf, designated, draftExpiry, mustFitPolicy, possibleAgent } from '../checked-draft.ts'
import type { Context } from '#context.ts'
import { ownerOf, mandateOfCaller, lockMandateOfCaller } from '#mandate/parties.ts'
import { exposureOf, mustExposeNobody } from '../exposure.ts'
import { correctDraft } from '../store/drafts.ts'
import { summaryView } from '#states/mandate-view.ts'
import { mandateNotDraft } from '@svc/contracts/mandates/refusals'

export const assignAgent: BoundHandler<Context, typeof mandates.operations.assignAgent> =
  (context) => async (input, call) => {
    const owner = ownerOf(callerOf(call))
    await mandateOfCaller(context.pool, input.public_id, call)
    const agent = await possibleAgent(context, input.agent_id, owner.wallet)
    return call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      if (mandate.state !== 'draft') refuse(mandateNotDraft, undefined, { state: mandate.state })
      const { limits } = mandate
      await mustFitPolicy(tx, agent, limits, mandate.id)
      await mustExposeNobody(tx, context, { agentId: agent.agent_id, ownerId: owner.id, limits })
      const designation = { limits, agent: designated(agent) }
      const change = {
        name: mandate.name,
        ...designation,
        acceptedAt: acceptanceOf(mandate, designation),
        expiresAt: draftExpiry(call.now),
      }
      const assigned = await correctDraft(tx, mandate.id, change, call.now)
      await appendEntry(tx, assigned, {
        at: call.now,
        kind: 'agent_designated',
        source: 'owner',
        body: { agent_id: agent.agent_id, wallet: agent.wallet },
      })
      const exposure = await exposureOf(tx, agent.agent_id, limits)
      return ok(200, { ok: true as const, mandate: summaryView(assigned, null, call.now), exposure })
    })
  }
