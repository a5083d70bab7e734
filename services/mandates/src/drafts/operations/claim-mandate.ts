import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { draftExpiry, DRAFTS_MAX } from '../checked-draft.ts'
import type { Context } from '#context.ts'
import { claimHash } from '#mandate/mandate-hashes.ts'
import { ownerOf } from '#mandate/parties.ts'
import { claimDraft, countDrafts } from '../store/drafts.ts'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { summaryView } from '#states/mandate-view.ts'
import { claimInvalid, draftLimit } from '@svc/contracts/mandates/refusals'

export const claimMandate: BoundHandler<Context, typeof mandates.operations.claimMandate> =
  () => async (input, call) => {
    const owner = ownerOf(callerOf(call))
    return call.effect(async (tx) => {
      if ((await countDrafts(tx, owner.id, call.now)) >= DRAFTS_MAX)
        refuse(draftLimit, undefined, { limit: DRAFTS_MAX })
      const claim = { publicId: input.public_id, claimHash: claimHash(input.claim_token) }
      const mandate = await claimDraft(tx, claim, owner, call.now, draftExpiry(call.now))
      if (mandate === null) refuse(claimInvalid)
      await appendEntry(tx, mandate, {
        at: call.now,
        kind: 'drafted',
        source: 'owner',
        body: { name: mandate.name, limits: limitsCodec.encode(mandate.limits), agent_id: null, claimed: true },
      })
      return ok(200, { ok: true as const, mandate: summaryView(mandate, null, call.now) })
    })
  }
