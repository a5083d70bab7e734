import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { hallTime } from '#hall/store/hall-time.ts'
import { placeOf, toCursor } from '#page-cursor.ts'
import { listingViews } from '../listing-views.ts'
import { liveListings } from '../store/listings.ts'

export const listListings: BoundHandler<Context, typeof gallery.operations.listListings> =
  ({ pool }) =>
  async ({ type, limit, cursor }, call) => {
    const rows = await liveListings(pool, { type, before: placeOf(cursor), limit: limit + 1 })
    const page = rows.slice(0, limit)
    const [items, recorded] = await Promise.all([listingViews(pool, page, call.now), hallTime(pool, call.now)])
    const next = rows.length > limit ? toCursor(page.at(-1)?.seq ?? 0) : null
    return ok(200, { ...recorded, items, next_cursor: next })
  }
