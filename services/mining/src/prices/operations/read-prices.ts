import { ok } from '@svc/contract'
import type { mining } from '@svc/contracts/mining'
import { tiers, WELCOME_CHERRY } from '@svc/contracts/subscriptions/tiers'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { currentPrice } from '../store/prices.ts'

const SNAPSHOT_MS = 5_000

export const readPrices: BoundHandler<Context, typeof mining.operations.readPrices> =
  (context) => async (_input, call) => {
    const [price, paidReads] = await Promise.all([currentPrice(context.pool), context.paidReads()])
    return ok(200, {
      payout_point_price: price.payout_point_price,
      tiers: tiers.map(({ tier, name, cherry_per_month, requests_per_day }) => ({
        tier,
        name,
        cherry_per_month,
        requests_per_day,
      })),
      welcome_cherry: WELCOME_CHERRY,
      paid_reads:
        paidReads?.map(({ listing_id, title, price_cherry }) => ({ key: listing_id, title, cherry: price_cherry })) ??
        null,
      // Constant for as long as caches may keep the answer, so that its ETag stays the same.
      computed_at: new Date(Math.floor(call.now.getTime() / SNAPSHOT_MS) * SNAPSHOT_MS).toISOString(),
    })
  }
