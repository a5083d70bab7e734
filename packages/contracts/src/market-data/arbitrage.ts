import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, decimalText, exchange, instant, queryInt, symbol, strangersText } from '../common.ts'
import { alertMembers } from './crisis.ts'

/** Most entries of each list of a pass. */
export const ARBITRAGE_MAX = { two: 100, reel: 200, multi: 50, conflicts: 5_000 } as const

const asset = z.string().min(1).max(32)
const onlyAsset = asset.optional().meta({ description: 'Only this asset' })
const decimal = z.string().max(120).meta({ description: 'Exact decimal', example: '12.5' })
const figure = z.number()
const basis = z.array(z.string().max(600)).max(20).meta({
  description: 'Proof that both sides are one asset: equal contract addresses, or the curated list with its source',
})
const evidence = z
  .array(
    z.object({
      source: strangersText(600).meta({ example: 'kucoin /api/v3/currencies' }),
      chain: strangersText(64).nullable(),
      address: strangersText(512).nullable(),
    }),
  )
  .max(20)
  .meta({
    description:
      'Who states what `identity` rests on: reviewed metadata, an endpoint of an exchange, or the curated list. `chain` and `address` are null for the coin of a chain.',
  })

const leg = z
  .object({
    exchange,
    symbol,
    side: z.enum(['buy', 'sell']),
    qty: decimal,
    notional: decimal.meta({ description: 'In the quote currency, before the fee' }),
    vwap: figure,
    limit_price: figure.meta({ description: 'Worst price of the leg' }),
    taker_fee: figure.meta({ description: 'Fraction of the notional' }),
    book_age_ms: figure,
    ...alertMembers,
  })
  .meta({ title: 'ArbitrageLeg' })

const opportunityMembers = {
  asset,
  quote: asset,
  gross_bps: figure.meta({ description: 'Best bid over best ask, before fees, without regard to size' }),
  net_bps: figure.meta({ description: 'Profit divided by cost of the whole quantity, after taker fees' }),
  qty: decimal,
  cost: decimal.meta({ description: 'Paid in the quote currency, including fees' }),
  proceeds: decimal,
  profit: decimal,
  size_usd: figure,
  profit_usd: figure,
  depth_is_lower_bound: z.boolean().meta({
    description: 'True if a leg takes all levels that were read of its order book, so that more may be executable',
  }),
  legs: z.array(leg).max(40),
  oldest_book_age_ms: figure,
  skew_ms: figure,
  persistence: z.object({
    scans: z.int().min(1).meta({ description: 'Number of consecutive passes that found it, including this one' }),
    since: instant,
  }),
  sizes: z
    .array(z.object({ size_usd: figure, net_bps: figure.nullable() }))
    .max(10)
    .meta({
      description: 'Result of fixed sizes at the same exchanges; `net_bps` is null if the order books are too short',
    }),
  identity: basis,
  evidence,
  transferable: z.boolean().nullable().meta({
    description:
      'Whether coins can be moved from the buying to the selling exchange, according to the wallet states that the exchanges publish; null if unknown, because many exchanges publish them to account holders only',
  }),
}

/** An opportunity between two venues. */
export const arbitragePair = z
  .object({ ...opportunityMembers, buy: exchange, sell: exchange })
  .meta({ title: 'ArbitragePair' })

/** A match over all order books of an asset. */
export const arbitrageMulti = z
  .object({
    ...opportunityMembers,
    venues: z
      .array(
        z.object({
          exchange,
          symbol,
          ...alertMembers,
          bid: figure.nullable(),
          ask: figure.nullable(),
          taker_fee: figure,
          book_age_ms: figure,
          rejected: z.enum(['stale', 'skew', 'crossed', 'one_sided']).nullable(),
        }),
      )
      .max(20)
      .meta({ description: 'All order books of the asset that were read; `rejected` names why a book was not used' }),
  })
  .meta({ title: 'ArbitrageMulti' })

/** The largest price difference of an asset between two exchanges, from tickers. */
export const reelItem = z
  .object({
    asset,
    quote: asset,
    buy: z.object({ exchange, symbol, ask: figure, ...alertMembers }),
    sell: z.object({ exchange, symbol, bid: figure, ...alertMembers }),
    spread_bps: figure.meta({ description: 'Between best prices, before fees, without regard to depth' }),
    net_bps: figure.nullable().meta({ description: 'After taker fees; null if a fee is unknown' }),
    venues: z.int().min(2),
    identity: basis,
    evidence,
  })
  .meta({ title: 'ReelItem' })

/** Pairs with equal tickers that are not treated as one asset. */
export const assetConflict = z
  .object({
    asset,
    quote: asset,
    reason: z
      .enum(['no_proof', 'different_contract', 'sources_contradict', 'name_differs', 'price_differs', 'quote_unproven'])
      .meta({
        description:
          '`no_proof`: nothing proves it; `different_contract`: the contracts differ; `sources_contradict`: one source states another contract than the other; `name_differs`: the exchange names another asset; `price_differs`: the prices are too far apart; `quote_unproven`: the quote currency is not proven',
      }),
    members: z
      .array(
        z.object({
          exchange,
          symbol,
          name: strangersText(200).nullable(),
          price_usd: figure.nullable(),
          ...alertMembers,
        }),
      )
      .max(20)
      .meta({
        description:
          'Pairs that were left out; of a single one, the other pairs with this ticker are matched without it',
      }),
  })
  .meta({ title: 'AssetConflict' })

const passMembers = {
  computed_at: instant.nullable(),
  stale: z.boolean().meta({ description: 'True if the pass is older than 3 minutes' }),
  pending: z.boolean().meta({
    description: 'True until the first pass exists; an empty list then does not mean that there is no arbitrage',
  }),
  source: z.enum(['live', 'replay', 'mixed']),
  total: z.int().min(0),
}
const limit = queryInt(1, 100, 20)
const profitMin = decimalText(0, 1e9).optional().meta({ description: 'Least `profit_usd`', example: 25 })
const disclaimer = 'Not an offer to trade; the cost of moving coins is not included.'

export const arbitrageOperations = {
  listArbitrage: operation({
    summary: 'List arbitrage between two exchanges that is profitable after fees',
    description: `Returns opportunities with their executable size, highest profit first, computed every minute from both order books. Only assets that are proven to be the same are paired, and \`evidence\` names who proves it. With \`rejected=true\`, \`conflicts\` lists equal tickers that are not paired, with the reason. ${disclaimer}`,
    auth: 'account',
    http: 'GET /arbitrage',
    csv: { list: 'items', head: ['computed_at', 'stale'] },
    tool: 'arbitrage',
    toolTitle: 'Arbitrage between two exchanges',
    cacheSec: 2,
    input: z.strictObject({
      asset: onlyAsset,
      profit_usd_min: profitMin,
      limit,
      rejected: z.enum(['true', 'false']).default('false').meta({
        description: '`true` adds equal tickers that are not paired, at most `limit`',
      }),
    }),
    success: {
      200: z.object({
        ...passMembers,
        items: z.array(arbitragePair).max(ARBITRAGE_MAX.two),
        conflicts: z
          .array(assetConflict)
          .max(100)
          .meta({ description: 'Equal tickers that were not paired; empty unless `rejected` is `true`' }),
        conflicts_total: z.int().min(0).meta({ description: 'All of them, of `asset` if it is given' }),
      }),
    },
    refusals: [common.invalidRequest],
  }),
  listArbitrageReel: operation({
    summary: 'List assets by the price difference between exchanges',
    description: `Returns assets ranked by the difference of their best prices, without regard to depth. ${disclaimer}`,
    auth: 'account',
    http: 'GET /arbitrage/reel',
    csv: { list: 'items', head: ['computed_at', 'stale'] },
    tool: 'arbitrage_reel',
    toolTitle: 'Price differences between exchanges',
    cacheSec: 2,
    input: z.strictObject({ asset: onlyAsset, limit }),
    success: { 200: z.object({ ...passMembers, items: z.array(reelItem).max(ARBITRAGE_MAX.reel) }) },
    refusals: [common.invalidRequest],
  }),
  listArbitrageMulti: operation({
    summary: 'List arbitrage across three or more exchanges',
    description: `Returns for each asset the best match over all its order books, with every book that was read. ${disclaimer}`,
    auth: 'account',
    tier: 2,
    http: 'GET /arbitrage/multi',
    csv: { list: 'items', head: ['computed_at', 'stale'] },
    tool: 'arbitrage_multi',
    toolTitle: 'Arbitrage across exchanges',
    cacheSec: 2,
    input: z.strictObject({ asset: onlyAsset, profit_usd_min: profitMin, limit }),
    success: { 200: z.object({ ...passMembers, items: z.array(arbitrageMulti).max(ARBITRAGE_MAX.multi) }) },
    refusals: [common.invalidRequest],
  }),
} as const

export const arbitrageJobs = {
  matchArbitrage: job({
    summary: 'Match the order books of same assets between exchanges once a minute',
    everyMs: 5_000,
    wokenBy: ['observeMarkets'],
    max: 40,
    budgetSec: 50,
  }),
  tellPool: job({
    summary: 'Publish what moved most among all targets once a minute',
    everyMs: 60_000,
    wokenBy: ['scanTargets'],
    max: 100,
    budgetSec: 20,
  }),
} as const
