import { z } from 'zod'
import { decimal, MARKETS_MAX, venueTime } from './fields.ts'

/** Shapes of the venue as the relays pass them on; names and spelling are the venue's. */

const count = (max: number) => z.int().min(0).max(max)
const word = (max: number) => z.string().max(max)

const perpMarket = z.object({
  name: word(49),
  szDecimals: count(6),
  maxLeverage: count(1_000),
  isDelisted: z.boolean().optional(),
  onlyIsolated: z.boolean().optional(),
  marginMode: word(40).optional(),
  growthMode: word(40).optional(),
  marginTableId: count(1_000_000).optional(),
})
const marginTable = z.tuple([
  count(1_000_000),
  z.object({
    description: word(200),
    marginTiers: z.array(z.object({ lowerBound: decimal, maxLeverage: count(1_000) })).max(20),
  }),
])
const perpContext = z.object({
  funding: decimal,
  openInterest: decimal,
  prevDayPx: decimal,
  dayNtlVlm: decimal,
  dayBaseVlm: decimal.optional(),
  oraclePx: decimal,
  markPx: decimal,
  midPx: decimal.nullable(),
  impactPxs: z.array(decimal).max(2).nullable().optional(),
  premium: decimal.nullable(),
})
/** Markets of a dex and, at the same places, their prices. */
export const perpMeta = z.tuple([
  z.object({
    universe: z.array(perpMarket).max(MARKETS_MAX),
    marginTables: z.array(marginTable).max(MARKETS_MAX).optional(),
    collateralToken: count(1_000_000).optional(),
  }),
  z.array(perpContext).max(MARKETS_MAX),
])

const SPOT_MAX = 10_000
export const spotMeta = z.object({
  tokens: z
    .array(
      z.object({
        name: word(40),
        index: count(1_000_000),
        tokenId: word(80),
        szDecimals: count(20),
        weiDecimals: count(40).optional(),
        isCanonical: z.boolean().optional(),
        fullName: word(200).nullable().optional(),
      }),
    )
    .max(SPOT_MAX),
  universe: z
    .array(
      z.object({
        name: word(80),
        index: count(1_000_000),
        tokens: z.tuple([count(1_000_000), count(1_000_000)]),
        isCanonical: z.boolean().optional(),
      }),
    )
    .max(SPOT_MAX)
    .optional(),
})

/** Rows of funding that an answer has at most, as at the venue. */
export const FUNDING_ROWS_MAX = 500
export const fundingHistory = z
  .array(z.object({ coin: word(49), fundingRate: decimal, premium: decimal, time: venueTime }))
  .max(FUNDING_ROWS_MAX)

/** Orders that the venue keeps of an account. */
export const ORDERS_MAX = 2_000
export const orderHistory = z
  .array(
    z.object({
      order: z.object({
        coin: word(80),
        side: z.enum(['A', 'B']),
        limitPx: decimal,
        sz: decimal,
        oid: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
        timestamp: venueTime,
        origSz: decimal,
        reduceOnly: z.boolean().optional(),
        cloid: word(34).nullable().optional(),
        orderType: word(40).optional(),
        tif: word(40).nullable().optional(),
        isTrigger: z.boolean().optional(),
        triggerPx: decimal.optional(),
        triggerCondition: word(80).optional(),
        isPositionTpsl: z.boolean().optional(),
      }),
      status: word(80),
      statusTimestamp: venueTime,
    }),
  )
  .max(ORDERS_MAX)

export const userFees = z.object({
  userCrossRate: decimal,
  userAddRate: decimal,
  userSpotCrossRate: decimal.optional(),
  userSpotAddRate: decimal.optional(),
  activeReferralDiscount: decimal.optional(),
  feeSchedule: z
    .object({
      cross: decimal,
      add: decimal,
      spotCross: decimal.optional(),
      spotAdd: decimal.optional(),
      referralDiscount: decimal.optional(),
      tiers: z
        .object({
          vip: z.array(z.object({ ntlCutoff: decimal, cross: decimal, add: decimal })).max(50),
          mm: z.array(z.object({ makerFractionCutoff: decimal, add: decimal })).max(50),
        })
        .optional(),
    })
    .optional(),
  dailyUserVlm: z
    .array(z.object({ date: word(10), userCross: decimal, userAdd: decimal, exchange: decimal }))
    .max(100)
    .optional(),
})

const SERIES_MAX = 10_000
const series = z.array(z.tuple([venueTime, decimal])).max(SERIES_MAX)
/** Value and profit by span of time: day, week, month, allTime, and the same with perp before. */
export const portfolio = z
  .array(z.tuple([word(40), z.object({ accountValueHistory: series, pnlHistory: series, vlm: decimal })]))
  .max(16)
