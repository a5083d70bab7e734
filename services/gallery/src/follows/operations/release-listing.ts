import { ok, refuse } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { newestFollowOf } from '#gaps/store/follows.ts'
import { endFollowAt } from '../end-follow.ts'
import { followView } from '../follow-view.ts'
import { mandateNamed } from '../mandate-named.ts'
import { mandateOfCaller } from '../read-parties.ts'

export const releaseListing: BoundHandler<Context, typeof gallery.operations.releaseListing> =
  (context) =>
  async ({ listing_id: listingId, ...named }, call) => {
    const mandateId = mandateNamed(named)
    const follow = await newestFollowOf(context.pool, mandateId, listingId)
    if (follow === null) {
      await mandateOfCaller(context, mandateId, call)
      return ok(200, { ok: true as const, follow: null })
    }
    // The row knows its parties: a release needs no other service.
    const { account_id: accountId, kind } = callerOf(call)
    if (accountId !== (kind === 'owner' ? follow.ownerId : follow.agentId)) refuse(unknownMandate)
    return call.effect(async (tx) => {
      const ended = await endFollowAt(tx, follow, 'released', call.now)
      return ok(200, { ok: true as const, follow: followView(ended ?? follow) })
    })
  }
