import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, exchange, instant, queryInt, symbol } from '../common.ts'
import { openAlerts } from './crisis.ts'

/** Most entries that a pass keeps of each list. */
export const ARBITRAGE_MAX = { two: 100, reel: 200, multi: 50, conflicts: 1_000 } as const

/** Conflicts in one answer. */
export const CONFLICTS_SHOWN = 100

const asset = z.string().min(1).max(32)
const decimal = z.string().max(120).meta({ description: 'Exact decimal', example: '12.5' })
const figure = z.number()
const basis = z.array(z.string().max(600)).max(20).meta({
  description: 'What proves that it is one asset: equal approved addresses, or the curated list with its source',
})

const leg = z
  .object({
    exchange,
    symbol,
    side: z.enum(['buy', 'sell']),
    qty: decimal,
    notional: decimal.meta({ description: 'In quote, before the fee' }),
    vwap: figure,
    limit_price: figure.meta({ description: 'Worst price that the leg reaches' }),
    taker_fee: figure.meta({ description: 'As a fraction' }),
    book_age_ms: figure,
    alerts: openAlerts,
  })
  .meta({ title: 'ArbitrageLeg' })

const opportunityMembers = {
  asset,
  quote: asset,
  gross_bps: figure.meta({ description: 'Best bid over best ask, before fees and at no size' }),
  net_bps: figure.meta({ description: 'Profit over cost of the whole quantity, after taker fees' }),
  qty: decimal,
  cost: decimal.meta({ description: 'Paid in quote, fees included' }),
  proceeds: decimal,
  profit: decimal,
  size_usd: figure,
  profit_usd: figure,
  depth_is_lower_bound: z.boolean().meta({
    description: 'A leg takes all levels that were read of its book: more may be executable',
  }),
  legs: z.array(leg).max(40),
  oldest_book_age_ms: figure,
  skew_ms: figure,
  persistence: z.object({
    scans: z.int().min(1).meta({ description: 'Passes in a row that found it, this one included' }),
    since: instant,
  }),
  sizes: z
    .array(z.object({ size_usd: figure, net_bps: figure.nullable() }))
    .max(10)
    .meta({ description: 'What fixed sizes would earn or lose over the same venues; null where the books end before' }),
  identity: basis,
  transferable: z.boolean().nullable().meta({
    description:
      'Whether coins can be moved from where they are bought to where they are sold, as the wallets that the venues publish say; null when unknown: many tell it to account holders only',
  }),
}

/** An opportunity between two venues. */
export const arbitragePair = z
  .object({ ...opportunityMembers, buy: exchange, sell: exchange })
  .meta({ title: 'ArbitragePair' })

/** A match over all books of an asset. */
export const arbitrageMulti = z
  .object({
    ...opportunityMembers,
    venues: z
      .array(
        z.object({
          exchange,
          bid: figure.nullable(),
          ask: figure.nullable(),
          taker_fee: figure,
          book_age_ms: figure,
          rejected: z.enum(['stale', 'skew', 'crossed', 'one_sided']).nullable(),
        }),
      )
      .max(20)
      .meta({ description: 'Every book that was looked at' }),
  })
  .meta({ title: 'ArbitrageMulti' })

/** The widest difference of an asset's tickers. */
export const reelItem = z
  .object({
    asset,
    quote: asset,
    buy: z.object({ exchange, symbol, ask: figure, alerts: openAlerts }),
    sell: z.object({ exchange, symbol, bid: figure, alerts: openAlerts }),
    spread_bps: figure.meta({ description: 'Of best prices, before fees: no depth is claimed' }),
    net_bps: figure.nullable().meta({ description: 'After taker fees; null while a fee is unknown' }),
    venues: z.int().min(2),
    identity: basis,
  })
  .meta({ title: 'ReelItem' })

/** Equal tickers that are not treated as one asset. */
export const assetConflict = z
  .object({
    asset,
    quote: asset,
    reason: z.enum(['no_proof', 'different_contract', 'name_differs', 'price_differs', 'quote_unproven']),
    members: z
      .array(z.object({ exchange, symbol, name: z.string().max(200).nullable(), price_usd: figure.nullable() }))
      .max(20),
  })
  .meta({ title: 'AssetConflict' })

const passMembers = {
  computed_at: instant.nullable(),
  stale: z.boolean().meta({ description: 'The pass is older than 3 minutes' }),
  pending: z.boolean().meta({ description: 'No pass exists yet; it does not mean that there is nothing' }),
  source: z.enum(['live', 'replay', 'mixed']),
  total: z.int().min(0),
}
const limit = queryInt(1, 100, 20)
const disclaimer = 'Not an offer to trade, and without the cost of moving coins.'

export const arbitrageOperations = {
  listArbitrage: operation({
    summary: 'List differences between two exchanges that both books carry after fees',
    description: `Computed every minute from both order books, to executable size, most profit first. Only proven same assets are paired; equal tickers that are not are listed with their reason. ${disclaimer}`,
    auth: 'account',
    http: 'GET /arbitrage',
    tool: 'arbitrage',
    cacheSec: 2,
    input: z.strictObject({ asset: asset.optional(), limit }),
    success: {
      200: z.object({
        ...passMembers,
        items: z.array(arbitragePair).max(ARBITRAGE_MAX.two),
        conflicts: z
          .array(assetConflict)
          .max(CONFLICTS_SHOWN)
          .meta({ description: 'Give asset to see those of one ticker' }),
        conflicts_total: z.int().min(0),
      }),
    },
    refusals: [common.invalidRequest],
  }),
  listArbitrageReel: operation({
    summary: 'List assets by the difference of their best prices between exchanges',
    description: `Ranked from tickers, without a claim of depth. ${disclaimer}`,
    auth: 'account',
    http: 'GET /arbitrage/reel',
    tool: 'arbitrage_reel',
    cacheSec: 2,
    input: z.strictObject({ asset: asset.optional(), limit }),
    success: { 200: z.object({ ...passMembers, items: z.array(reelItem).max(ARBITRAGE_MAX.reel) }) },
    refusals: [common.invalidRequest],
  }),
  listArbitrageMulti: operation({
    summary: 'List the best match over all books of assets at three exchanges and more',
    description: `One matching of all order books of an asset, with every book that was looked at. ${disclaimer}`,
    auth: 'account',
    tier: 2,
    http: 'GET /arbitrage/multi',
    tool: 'arbitrage_multi',
    cacheSec: 2,
    input: z.strictObject({ asset: asset.optional(), limit }),
    success: { 200: z.object({ ...passMembers, items: z.array(arbitrageMulti).max(ARBITRAGE_MAX.multi) }) },
    refusals: [common.invalidRequest],
  }),
} as const

export const arbitrageJobs = {
  matchArbitrage: job({
    summary: 'Match the books of same assets between exchanges once a minute',
    everyMs: 5_000,
    wokenBy: ['observeMarkets'],
    max: 40,
    budgetSec: 50,
  }),
  tellPool: job({
    summary: 'Tell what moved most among all targets once a minute',
    everyMs: 10_000,
    wokenBy: ['scanTargets'],
    max: 100,
    budgetSec: 20,
  }),
} as const
