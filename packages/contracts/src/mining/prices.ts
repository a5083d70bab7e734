import { operation } from '@svc/contract'
import { z } from 'zod'
import { cherry, instant, okTrue, strangersText } from '../common.ts'

const pointPrice = z.int().min(1).max(1000).meta({ description: 'Cherry paid per approved point', example: 5 })

/** The posted prices. */
export const priceOperations = {
  readPrices: operation({
    summary: 'Read the posted prices: what mining pays and what each tier costs',
    auth: 'open',
    input: z.strictObject({}),
    success: {
      200: z.object({
        payout_point_price: pointPrice,
        tiers: z
          .array(
            z.object({
              tier: z.int().min(0).max(2),
              name: z.string().max(32),
              cherry_per_month: cherry,
              requests_per_day: z.int().min(0),
            }),
          )
          .max(10),
        welcome_cherry: cherry,
        paid_reads: z
          .array(z.object({ key: z.string().max(64), title: strangersText(200), cherry }))
          .max(100)
          .nullable()
          .meta({ description: 'Listings by listing_id, with the price of a signal; null: not known at present' }),
        computed_at: instant,
      }),
    },
    http: 'GET /prices',
    tool: 'prices',
    toolTitle: 'Cherry prices',
    cacheSec: 5,
  }),
  setPrices: operation({
    summary: 'Post a new payout price per point, for all miners',
    description: 'Submissions made before keep the price that was posted when they were made.',
    auth: 'admin',
    input: z.strictObject({ payout_point_price: pointPrice }),
    success: {
      200: z.object({ ok: okTrue, version: z.int().min(1), payout_point_price: pointPrice, posted_at: instant }),
    },
    http: 'PUT /admin/prices',
    idempotent: true,
  }),
}
