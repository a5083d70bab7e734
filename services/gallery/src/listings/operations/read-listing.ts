import { ok, refuse } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import { unknownListing } from '@svc/contracts/gallery/listing-refusals'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { hallTime } from '#hall/store/hall-time.ts'
import { citedHash, listingViews } from '../listing-views.ts'
import { earlierListings, findListing } from '../store/listings.ts'

/** Most earlier listings that are shown, and that are looked through. */
const SHOWN_MAX = 10
const EARLIER_MAX = 50

export const readListing: BoundHandler<Context, typeof gallery.operations.readListing> =
  ({ pool }) =>
  async ({ listing_id: id }, call) => {
    const stored = (await findListing(pool, id)) ?? refuse(unknownListing)
    const [views, earlier, recorded] = await Promise.all([
      listingViews(pool, [stored], call.now),
      earlierListings(pool, stored, EARLIER_MAX),
      hallTime(pool, call.now),
    ])
    const [view] = views
    if (view === undefined) throw new Error(`listing ${id} has no view`)
    const changed = earlier
      .map((one) => ({ listing_id: one.id, published_at: one.published_at, cited_hash: citedHash(one.body.cited) }))
      .filter((one) => one.cited_hash !== view.cited_hash)
    return ok(200, { ...recorded, ...view, earlier: changed.slice(0, SHOWN_MAX) })
  }
