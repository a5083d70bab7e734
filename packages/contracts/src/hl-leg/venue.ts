import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, instant } from '../common.ts'
import { marketId, usdc } from '../mandates/fields.ts'

/** Most markets of the venue that mandates may name. */
export const LEG_MARKETS_MAX = 190

/** `hl:<COIN>` or `hl:<dex>:<COIN>`. */
export const legMarketId = marketId.refine(
  (id) => id.startsWith('hl:'),
  'use a market of GET /ui/trade/products; their ids begin with hl:',
)

/** Decimal text of the venue. */
export const venueDecimal = z
  .string()
  .max(60)
  .regex(/^-?\d{1,30}(?:\.\d{1,20})?$/)

/** Network of the venue. */
export const network = z.enum(['testnet', 'mainnet']).meta({ description: 'Network of the venue' })

/** Lower case, as the venue writes addresses. */
export const venueAddress = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .max(42)

const legMarket = z.object({
  market_id: legMarketId,
  title: z.string().max(80),
  dex: z.string().max(16).meta({ description: 'Perpetual exchange of the venue; empty: the main one' }),
  coin: z.string().max(64).meta({ description: "The venue's name of the market" }),
  listed: z.boolean(),
  volume_24h_usdc: venueDecimal,
  max_leverage: z.int().min(1).max(1_000),
  min_order_usdc: usdc,
  size_decimals: z.int().min(0).max(6),
})
/** A market of the venue that mandates may name. */
export type LegMarket = z.output<typeof legMarket>

/**
 * Classes of requests to the venue, the most urgent first. `visitors` are relayed reads that strangers choose freely, such as
 * those of an account: they spend at most half of what relays have.
 */
export const weightClasses = ['closes', 'orders', 'worth', 'relays', 'visitors'] as const

/** Operations on the venue's markets, and on the weight of requests to it. */
export const venueOperations = {
  listLegMarkets: operation({
    summary: 'List the markets of the venue that a mandate may name, the greatest volume first',
    description:
      'Listed perpetual markets with collateral in USDC, of the dexes that this deployment reads, as last read.',
    auth: 'service',
    callers: ['mandates'],
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z.array(legMarket).max(LEG_MARKETS_MAX),
        seeded: z
          .boolean()
          .meta({ description: 'Whether hl-leg has the seed of its keys, without which no leg is possible' }),
      }),
    },
  }),
  spendVenueWeight: operation({
    summary: 'Spend weight of requests to the venue',
    description:
      'The venue allows a network address a weight per minute. Every process behind the address spends it here before it asks the venue.',
    auth: 'service',
    callers: ['hl-relay', 'hl-trade'],
    input: z.strictObject({
      egress: z.string().regex(/^[a-z0-9.-]{1,60}$/),
      class: z.enum(weightClasses),
      weight: z.int().min(-1_200).max(1_200),
      at_most: z
        .int()
        .min(1)
        .max(1_200)
        .optional()
        .meta({ description: 'What the request may cost at most, if only its answer tells; spent until then' }),
      asked: z.boolean().meta({
        description:
          'true: the request is out already and cost this much more than was spent for it; if negative, so much less',
      }),
    }),
    success: {
      200: z.object({
        retry_at: instant.nullable().meta({ description: 'null: it is spent. Otherwise nothing is, until this time' }),
      }),
    },
    refusals: [common.invalidRequest],
  }),
} as const

/** Jobs on the venue's markets. */
export const venueJobs = {
  readMarkets: job({
    summary: "Read the venue's markets with their marks, and compare its clock with ours",
    everyMs: 60_000,
    max: 2_000,
    budgetSec: 30,
  }),
} as const
