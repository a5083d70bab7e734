import { ok } from '@svc/contract'
import { LEG_MARKETS_MAX, legMarketId } from '@svc/contracts/hl-leg/venue'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { marketIdOf } from '@svc/venue/rules/market-id'
import { marketView } from '../market-view.ts'
import { listMarkets } from '../store/markets.ts'

export const listLegMarkets: BoundHandler<Context, typeof hlLeg.operations.listLegMarkets> =
  ({ pool, venue, settings, seed }) =>
  async () => {
    const markets = await listMarkets(pool, venue.network, { dexes: settings.dexes, listed: true, max: 1_000 })
    const items = markets.filter(({ coin }) => legMarketId.safeParse(marketIdOf(coin)).success).map(marketView)
    return ok(200, { items: items.slice(0, LEG_MARKETS_MAX), seeded: seed !== null })
  }
