import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { liveListings } from '#listings/store/listings.ts'

export const listPaidReads: BoundHandler<Context, typeof gallery.operations.listPaidReads> =
  ({ pool }) =>
  async () => {
    const listings = await liveListings(pool, { priceModel: 'paid_read', limit: 100 })
    return ok(200, {
      items: listings.map(({ id, title, price_cherry }) => ({
        listing_id: id,
        title,
        price_cherry: price_cherry ?? 0,
      })),
    })
  }
