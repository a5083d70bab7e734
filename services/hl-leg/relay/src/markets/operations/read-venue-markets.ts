import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { legMarketId } from '@svc/contracts/hl-leg/venue'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { marketView } from '../market-view.ts'
import { readAllMarkets } from '../read-markets.ts'

export const readVenueMarkets: BoundHandler<Context, typeof hlRelay.operations.readVenueMarkets> =
  (context) =>
  async ({ coins, max_age_ms }) => {
    const { items } = await readAllMarkets(context, { by: 'relays', maxAgeMs: max_age_ms, staleMs: max_age_ms })
    const wanted = new Set(coins)
    const asked = coins.length === 0 ? items : items.filter(({ coin }) => wanted.has(coin))
    // Only a market with an id of ours can be named in an order.
    return ok(200, { items: asked.map(marketView).filter(({ market_id }) => legMarketId.safeParse(market_id).success) })
  }
