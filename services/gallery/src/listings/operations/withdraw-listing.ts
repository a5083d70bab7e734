import { ok, refuse } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import { notYourListing, unknownListing } from '@svc/contracts/gallery/listing-refusals'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { listingViews } from '../listing-views.ts'
import { speaksFor } from '../seller.ts'
import { findListing, withdraw } from '../store/listings.ts'

export const withdrawListing: BoundHandler<Context, typeof gallery.operations.withdrawListing> =
  (context) =>
  async ({ listing_id: id }, call) => {
    const known = (await findListing(context.pool, id)) ?? refuse(unknownListing)
    if (!(await speaksFor(context, callerOf(call), known.seller_agent_id))) refuse(notYourListing)
    return call.effect(async (tx) => {
      await withdraw(tx, id, 'withdrawn by the seller', call.now)
      const [listing] = await listingViews(tx, [(await findListing(tx, id)) ?? known], call.now)
      if (listing === undefined) throw new Error(`listing ${id} is gone`)
      return ok(200, { ok: true as const, listing })
    })
  }
