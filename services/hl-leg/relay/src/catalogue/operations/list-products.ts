import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { offered, productView } from '../catalogue-view.ts'
import { LISTED, readAllMarkets } from '#markets/read-markets.ts'

export const listProducts: BoundHandler<Context, typeof hlRelay.operations.listProducts> =
  (context) =>
  async (_, { now }) => {
    const { items, at, stale } = await readAllMarkets(context, LISTED)
    const products = offered(items).map((market) => productView(context.settings, market, now))
    const said = { sample: false as const, made_up: context.venue.madeUp }
    return ok(200, { computed_at: at.toISOString(), stale, ...said, items: products })
  }
