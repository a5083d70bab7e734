import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { readBook } from '../read-book.ts'
import { requireMarket } from '../read-market.ts'

export const readVenueBook: BoundHandler<Context, typeof hlRelay.operations.readVenueBook> =
  (context) =>
  async ({ coin, max_age_ms }) => {
    await requireMarket(context, coin)
    const terms = { by: 'relays', maxAgeMs: max_age_ms, staleMs: max_age_ms } as const
    const { at, bids, asks } = await readBook(context, terms, coin)
    return ok(200, { coin, at: at.toISOString(), bids: [...bids], asks: [...asks] })
  }
