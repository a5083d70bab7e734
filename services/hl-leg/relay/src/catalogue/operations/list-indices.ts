import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { indexView, offered } from '../catalogue-view.ts'
import { LISTED, readAllMarkets } from '#markets/read-markets.ts'

export const listIndices: BoundHandler<Context, typeof hlRelay.operations.listIndices> =
  (context) =>
  async (_, { now }) => {
    const { items, at, stale } = await readAllMarkets(context, LISTED)
    const indices = offered(items).filter(({ dex }) => dex !== '')
    const views = indices.map((market) => indexView(context.settings, market, now))
    return ok(200, { computed_at: at.toISOString(), stale, items: views })
  }
