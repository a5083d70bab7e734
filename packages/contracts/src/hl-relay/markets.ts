import { operation } from '@svc/contract'
import { z } from 'zod'
import { common, instant } from '../common.ts'
import { venueBudget } from '../hl-leg/refusals.ts'
import { legMarketId } from '../hl-leg/venue.ts'
import { coin, decimal, dexName, MARKETS_MAX } from './fields.ts'
import { unknownCoin } from './refusals.ts'

const side = z.enum(['buy', 'sell'])
const positive = z
  .string()
  .max(40)
  .regex(/^\d{1,20}(?:\.\d{1,10})?$/, 'write a plain decimal number such as 12.5')

/** A market of the venue with its prices as they were read together. */
export const venueMarket = z.object({
  market_id: legMarketId,
  coin,
  dex: dexName,
  asset: z.int().min(0).max(10_000_000).meta({ description: 'Number under which orders name the market' }),
  title: z.string().max(80),
  size_decimals: z.int().min(0).max(6),
  max_leverage: z.int().min(1).max(1_000),
  listed: z.boolean(),
  only_isolated: z.boolean(),
  mark_price: decimal,
  oracle_price: decimal,
  mid_price: decimal.nullable().meta({ description: 'null: a side of the book is empty' }),
  prev_day_price: decimal,
  funding_hourly: decimal,
  volume_24h_usd: decimal,
  open_interest_usd: decimal,
  read_at: instant,
})
export type VenueMarketView = z.output<typeof venueMarket>

const level = z.object({ price: decimal, size: decimal })
const levels = z.array(level).max(100)
const maxAgeMs = (fallback: number) =>
  z.int().min(250).max(600_000).default(fallback).meta({ description: 'Oldest reading that the caller accepts' })

/** Reads of markets and books for the services that trade. */
export const marketOperations = {
  readVenueMarkets: operation({
    summary: 'Read markets of the venue with their prices',
    description:
      'Markets with collateral in USDC of the dexes that this deployment reads; without coins all of them, delisted ones included. A coin that the venue does not have is left out.',
    auth: 'service',
    callers: ['hl-trade', 'gallery'],
    input: z.strictObject({ coins: z.array(coin).max(500).default([]), max_age_ms: maxAgeMs(60_000) }),
    success: { 200: z.object({ items: z.array(venueMarket).max(MARKETS_MAX) }) },
    refusals: [venueBudget],
  }),
  readVenueBook: operation({
    summary: 'Read the book of a market, best offers first',
    auth: 'service',
    callers: ['hl-trade', 'gallery'],
    input: z.strictObject({ coin, max_age_ms: maxAgeMs(5_000) }),
    success: { 200: z.object({ coin, at: instant, bids: levels, asks: levels }) },
    refusals: [unknownCoin, venueBudget],
  }),
  walkVenueBook: operation({
    summary: 'Tell what an order at the market would fill and cost now',
    description:
      'Walks the book from its best price to limit_price. Name a size, or the USDC that the order may cost before fees.',
    auth: 'service',
    callers: ['hl-trade'],
    input: z.strictObject({
      coin,
      side,
      size: positive.optional(),
      amount_usdc: positive.optional(),
      limit_price: positive.optional(),
      max_age_ms: maxAgeMs(5_000),
    }),
    success: {
      200: z.object({
        coin,
        at: instant.meta({ description: "Time of the book, by the venue's clock" }),
        best_price: decimal.nullable().meta({ description: 'null: nothing is offered' }),
        middle_price: decimal.nullable(),
        filled_size: decimal,
        average_price: decimal.nullable(),
        worst_price: decimal.nullable(),
        notional_usdc: decimal,
        fee_usdc: decimal,
        taker_fee: decimal.meta({ description: 'Share of the notional' }),
        unfilled: decimal.meta({ description: 'Size that did not fill; of an amount, the USDC that are left' }),
      }),
    },
    refusals: [common.invalidRequest, unknownCoin, venueBudget],
  }),
} as const
