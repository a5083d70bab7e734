import { z } from 'zod'

/** Decimal text of the venue; it sends no number in its place, and one that comes is refused. */
export const decimal = z.string().regex(/^-?\d{1,30}(?:\.\d{1,20})?$/)
const unsigned = z.string().regex(/^\d{1,30}(?:\.\d{1,20})?$/)
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const timeMs = z.int().positive()
const rows = <T extends z.ZodType>(row: T, max: number) => z.array(row).max(max)

/** Market of a perpetual exchange; its place in `universe` is its number, delisted markets included. */
const market = z.object({
  name: z.string().min(1).max(40),
  szDecimals: z.int().min(0).max(6),
  maxLeverage: z.int().positive(),
  isDelisted: z.boolean().optional(),
  onlyIsolated: z.boolean().optional(),
  marginMode: z.string().max(40).optional(),
  growthMode: z.string().max(40).optional(),
  marginTableId: z.int().min(0).optional(),
})
/** Number of a margin table with its tiers; the lowest bound first. */
const marginTable = z.tuple([
  z.int().min(0),
  z.object({
    description: z.string().max(200),
    marginTiers: rows(z.object({ lowerBound: unsigned, maxLeverage: z.int().positive() }), 20),
  }),
])
export const meta = z.object({
  universe: rows(market, 2_000),
  marginTables: rows(marginTable, 2_000).optional(),
  collateralToken: z.int().optional(),
})

const assetContext = z.object({
  funding: decimal,
  openInterest: unsigned,
  prevDayPx: unsigned,
  dayNtlVlm: unsigned,
  dayBaseVlm: unsigned.optional(),
  oraclePx: unsigned,
  markPx: unsigned,
  midPx: unsigned.nullable(),
  impactPxs: z.array(unsigned).max(2).nullable().optional(),
  premium: decimal.nullable(),
})
export const metaAndContexts = z.tuple([meta, rows(assetContext, 2_000)])

/** Perpetual exchanges in the order of their numbers; the first, null, is the main one. */
export const perpDexs = rows(z.object({ name: z.string().min(1).max(20), fullName: z.string() }).nullable(), 200)

const marginSummary = z.object({
  accountValue: decimal,
  totalNtlPos: unsigned,
  totalRawUsd: decimal,
  totalMarginUsed: unsigned,
})
const position = z.object({
  coin: z.string(),
  szi: decimal,
  entryPx: unsigned,
  positionValue: unsigned,
  unrealizedPnl: decimal,
  liquidationPx: unsigned.nullable(),
  marginUsed: unsigned,
  leverage: z.object({ type: z.enum(['cross', 'isolated']), value: z.int().positive() }),
  cumFunding: z.object({ allTime: decimal, sinceOpen: decimal, sinceChange: decimal }),
})
/** One account on one dex at `time`. */
export const clearinghouseState = z.object({
  marginSummary,
  crossMaintenanceMarginUsed: unsigned,
  withdrawable: unsigned,
  assetPositions: rows(z.object({ type: z.literal('oneWay'), position }), 2_000),
  time: timeMs,
})

const spotToken = z.object({
  name: z.string().max(40),
  index: z.int().min(0),
  tokenId: z.string().max(80),
  szDecimals: z.int().min(0).max(20),
  weiDecimals: z.int().min(0).max(40).optional(),
  isCanonical: z.boolean().optional(),
  fullName: z.string().max(200).nullable().optional(),
})
/** Two tokens, base and quote, that are traded for each other. */
const spotPair = z.object({
  name: z.string().max(80),
  index: z.int().min(0),
  tokens: z.tuple([z.int().min(0), z.int().min(0)]),
  isCanonical: z.boolean().optional(),
})
export const spotMeta = z.object({ tokens: rows(spotToken, 10_000), universe: rows(spotPair, 10_000).optional() })
export const spotState = z.object({
  balances: rows(z.object({ coin: z.string(), token: z.int(), total: unsigned, hold: unsigned }), 10_000),
})

/** Named agents of an account; unnamed ones are seen by `userRole` of the agent only. */
export const extraAgents = rows(z.object({ name: z.string(), address, validUntil: timeMs.nullable() }), 100)
export const userRole = z.discriminatedUnion('role', [
  z.object({ role: z.literal('missing') }),
  z.object({ role: z.literal('user') }),
  z.object({ role: z.literal('vault') }),
  z.object({ role: z.literal('agent'), data: z.object({ user: address }) }),
  z.object({ role: z.literal('subAccount'), data: z.object({ master: address }) }),
])
export const userAbstraction = z.enum(['default', 'disabled', 'unifiedAccount', 'portfolioMargin', 'dexAbstraction'])
const dayVolume = z.object({ date: z.string().max(10), userCross: unsigned, userAdd: unsigned, exchange: unsigned })
const feeTiers = z.object({
  vip: rows(z.object({ ntlCutoff: unsigned, cross: decimal, add: decimal }), 50),
  mm: rows(z.object({ makerFractionCutoff: unsigned, add: decimal }), 50),
})
const feeSchedule = z.object({
  cross: decimal,
  add: decimal,
  spotCross: decimal.optional(),
  spotAdd: decimal.optional(),
  tiers: feeTiers.optional(),
  referralDiscount: decimal.optional(),
})
/** Rates that an account pays, of the notional, with the schedule that they follow and its volume by day. */
export const userFees = z.object({
  userCrossRate: decimal,
  userAddRate: decimal,
  userSpotCrossRate: decimal.optional(),
  userSpotAddRate: decimal.optional(),
  activeReferralDiscount: decimal.optional(),
  feeSchedule: feeSchedule.optional(),
  dailyUserVlm: rows(dayVolume, 100).optional(),
})
/** Actions that an account has sent and may send; one more is earned by each dollar traded. */
export const userRateLimit = z.object({
  cumVlm: unsigned,
  nRequestsUsed: z.int().min(0),
  nRequestsCap: z.int().min(0),
})
/** Leverage that an account has set for a market. */
export const activeAssetData = z.object({
  coin: z.string().max(80),
  leverage: z.object({ type: z.enum(['cross', 'isolated']), value: z.int().min(1).max(1_000) }),
})
export const maxBuilderFee = z.int().min(0)
export const exchangeStatus = z.object({ time: timeMs })

const level = z.object({ px: unsigned, sz: unsigned, n: z.int() })
/** Best first; at most 20 a side. Null for an unknown coin. */
export const l2Book = z
  .object({ coin: z.string(), time: timeMs, levels: z.tuple([rows(level, 100), rows(level, 100)]) })
  .nullable()
export const allMids = z.record(z.string(), unsigned)

const order = z.object({
  coin: z.string().max(80),
  side: z.enum(['A', 'B']),
  limitPx: unsigned,
  sz: unsigned,
  oid: z.int(),
  timestamp: timeMs,
  origSz: unsigned,
  reduceOnly: z.boolean().optional(),
  cloid: z.string().max(34).nullable().optional(),
})
export const openOrders = rows(order, 10_000)
const fullOrder = order.extend({
  orderType: z.string().max(40).optional(),
  tif: z.string().max(40).nullable().optional(),
  isTrigger: z.boolean().optional(),
  triggerPx: decimal.optional(),
  triggerCondition: z.string().max(80).optional(),
  isPositionTpsl: z.boolean().optional(),
})
const historicalOrder = z.object({ order: fullOrder, status: z.string().max(80), statusTimestamp: timeMs })
export const historicalOrders = rows(historicalOrder, 2_000)
export const orderStatus = z.discriminatedUnion('status', [
  z.object({ status: z.literal('order'), order: historicalOrder }),
  z.object({ status: z.literal('unknownOid') }),
])

/** Executions, newest first. `fee` contains `builderFee`; `closedPnl` is before fees. */
export const userFills = rows(
  z.object({
    coin: z.string(),
    px: unsigned,
    sz: unsigned,
    side: z.enum(['A', 'B']),
    time: timeMs,
    startPosition: decimal,
    dir: z.string(),
    closedPnl: decimal,
    hash: z.string(),
    oid: z.int(),
    crossed: z.boolean(),
    fee: decimal,
    builderFee: decimal.optional(),
    tid: z.int(),
    feeToken: z.string(),
    cloid: z.string().nullable().optional(),
    liquidation: z.unknown().optional(),
  }),
  2_000,
)

export const fundingHistory = rows(
  z.object({ coin: z.string().max(49), fundingRate: decimal, premium: decimal, time: timeMs }),
  500,
)
export const userFunding = rows(
  z.object({
    time: timeMs,
    hash: z.string(),
    delta: z.object({
      type: z.literal('funding'),
      coin: z.string(),
      usdc: decimal,
      szi: decimal,
      fundingRate: decimal,
    }),
  }),
  500,
)
/** Payments of an account that are neither fills nor funding; the type decides which fields `delta` has. */
export const ledgerUpdates = rows(
  z.object({ time: timeMs, hash: z.string(), delta: z.looseObject({ type: z.string() }) }),
  500,
)
/** Value and profit of an account by span of time: `day`, `week`, `month`, `allTime` and the same with `perp` before. */
export const portfolio = rows(
  z.tuple([
    z.string().max(40),
    z.object({
      accountValueHistory: rows(z.tuple([timeMs, decimal]), 10_000),
      pnlHistory: rows(z.tuple([timeMs, decimal]), 10_000),
      vlm: unsigned,
    }),
  ]),
  16,
)
export const candles = rows(
  z.object({
    t: timeMs,
    T: timeMs,
    s: z.string(),
    i: z.string(),
    o: unsigned,
    h: unsigned,
    l: unsigned,
    c: unsigned,
    v: unsigned,
    n: z.int(),
  }),
  5_000,
)
