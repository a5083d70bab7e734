import { operation } from '@svc/contract'
import { z } from 'zod'
import { common, givenInstant } from '../common.ts'
import { venueBudget } from '../hl-leg/refusals.ts'
import { relayed } from './envelope.ts'
import { coin, decimal, dexName } from './fields.ts'
import { unknownCoin, unknownDex } from './refusals.ts'
import { FUNDING_ROWS_MAX, fundingHistory, perpMeta, spotMeta } from './venue-shapes.ts'

/** Coins that one request for liquidity may name, and up to how many get the depth of their books. */
export const LIQUIDITY_COINS_MAX = 60
export const DEPTH_COINS_MAX = 5

const bps = decimal.nullable()
const side = z.array(z.object({ price: decimal, size: decimal })).max(100)
const liquidityRow = z.object({
  coin,
  mid: decimal.nullable().meta({ description: 'null: a side of the book is empty' }),
  mark: decimal,
  spread_bps: bps.meta({ description: 'null: not read (more than 5 coins), or a side is empty' }),
  impact_buy_bps: bps.meta({ description: "What an order of the venue's sample size pays above the middle" }),
  impact_sell_bps: bps,
  volume_24h_usd: decimal,
  open_interest_usd: decimal,
  depth: z.object({ bids: side, asks: side }).nullable().meta({ description: 'null: more than 5 coins' }),
})
export type LiquidityRow = z.output<typeof liquidityRow>

/** Relayed reads of the venue's markets. */
export const infoOperations = {
  readMeta: operation({
    summary: 'Read the markets of a dex of the venue with their prices',
    description:
      "The venue's list of markets and, at the same places, their prices. A market's place is its number in orders; delisted markets stay. At most a minute old.",
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/meta',
    cacheSec: 5,
    sharedAnswer: true,
    input: z.strictObject({ dex: dexName.default('') }),
    success: { 200: relayed(perpMeta) },
    refusals: [common.invalidRequest, unknownDex, venueBudget],
  }),
  readSpotMeta: operation({
    summary: 'Read the tokens and spot pairs of the venue',
    description: 'At most a minute old.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/spot-meta',
    cacheSec: 5,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: { 200: relayed(spotMeta) },
    refusals: [venueBudget],
  }),
  readFunding: operation({
    summary: 'Read the hourly funding of a market over time',
    description: `The oldest first, at most ${FUNDING_ROWS_MAX} hours from start_time; without it the last day. At most a minute old.`,
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/funding',
    cacheSec: 5,
    input: z.strictObject({ coin, start_time: givenInstant.optional(), end_time: givenInstant.optional() }),
    success: { 200: relayed(fundingHistory) },
    refusals: [common.invalidRequest, unknownCoin, venueBudget],
  }),
  readLiquidity: operation({
    summary: 'Read how liquid up to 60 markets are',
    description: `Spread and depth of the book come only with ${DEPTH_COINS_MAX} coins or fewer, from books at most 5 seconds old; the other figures are at most 15 seconds old. Rows may be fewer than names: unknown_coins has the others.`,
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/liquidity',
    cacheSec: 5,
    input: z.strictObject({
      coins: z
        .string()
        .max(LIQUIDITY_COINS_MAX * 50)
        .regex(
          /^(?:[a-z0-9]{1,16}:)?[A-Za-z0-9]{1,32}(?:,(?:[a-z0-9]{1,16}:)?[A-Za-z0-9]{1,32}){0,59}$/,
          'write 1 to 60 names of markets separated by commas',
        )
        .meta({ description: 'Names of markets, separated by commas', example: 'BTC,ETH,xyz:TSLA' }),
    }),
    success: {
      200: relayed(z.array(liquidityRow).max(LIQUIDITY_COINS_MAX)).extend({
        unknown_coins: z
          .array(z.string().max(50))
          .max(LIQUIDITY_COINS_MAX)
          .meta({ description: 'Names that no dex here has; if every name is one, the answer is unknown_coin' }),
      }),
    },
    refusals: [common.invalidRequest, unknownCoin, venueBudget],
  }),
} as const
