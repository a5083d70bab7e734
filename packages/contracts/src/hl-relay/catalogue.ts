import { operation } from '@svc/contract'
import { z } from 'zod'
import { common, instant } from '../common.ts'
import { venueBudget } from '../hl-leg/refusals.ts'
import { legMarketId } from '../hl-leg/venue.ts'
import { usdc } from '../mandates/fields.ts'
import { madeUp } from './envelope.ts'
import { coin, decimal, dexName, MARKETS_MAX } from './fields.ts'
import { unknownCoin } from './refusals.ts'

/** State of the exchange that a market follows. */
export const sessionState = z
  .enum(['open', 'closed', 'holiday', 'early_close', 'projected'])
  .meta({ title: 'SessionState', description: 'projected: no published calendar covers this day' })

const session = sessionState.nullable().meta({ description: 'State of the exchange it follows; null: always open' })
const mode = z.enum(['paper', 'live'])
const staleMember = z.boolean().meta({ description: 'true: the prices are older than usual' })

const indexView = z.object({
  sym: z.string().max(32),
  market_id: legMarketId,
  dex: dexName,
  title: z.string().max(80),
  mark_price: decimal,
  oracle_price: decimal,
  premium_bps: decimal.nullable().meta({ description: 'Mark above the oracle; null without an oracle price' }),
  funding_hourly: decimal,
  open_interest_usd: decimal,
  volume_24h_usd: decimal,
  max_leverage: z.int().min(1).max(1_000),
  session,
  status: mode.meta({ description: 'live: live orders are switched on' }),
})
export type IndexView = z.output<typeof indexView>

const product = z.object({
  market_id: legMarketId,
  coin,
  title: z.string().max(80),
  kind: z.enum(['crypto', 'index', 'stock', 'other']),
  mark_price: decimal,
  mid_price: decimal.nullable().meta({ description: 'Middle of the book; null: a side of it is empty' }),
  change_24h_pct: decimal.nullable().meta({ description: 'null: no price of a day ago' }),
  funding_hourly: decimal,
  volume_24h_usd: decimal,
  max_leverage: z.int().min(1).max(1_000),
  min_order_usdc: usdc,
  session,
  modes: z.array(mode).min(1).max(2),
})
export type ProductView = z.output<typeof product>

/** What can be traded, as the pages show it. */
export const catalogueOperations = {
  listIndices: operation({
    summary: 'List the perpetuals of the other dexes of the venue: indices, stocks and commodities',
    description: 'Listed markets, the greatest volume first. At most a minute old.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/indices',
    cacheSec: 5,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({ computed_at: instant, stale: staleMember, items: z.array(indexView).max(MARKETS_MAX) }),
    },
    refusals: [venueBudget],
  }),
  readIndex: operation({
    summary: 'Read one perpetual of the other dexes of the venue',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/indices/{sym}',
    cacheSec: 5,
    sharedAnswer: true,
    input: z.strictObject({
      sym: z
        .string()
        .max(49)
        .regex(/^(?:[a-z0-9]{1,16}:)?[A-Za-z0-9]{1,32}$/, 'write the sym of an item of GET /hub/indices, such as TSLA')
        .meta({
          description: 'sym of GET /hub/indices; with its dex before a colon where two have the same',
          example: 'TSLA',
        }),
    }),
    success: { 200: z.object({ computed_at: instant, stale: staleMember, item: indexView }) },
    refusals: [common.invalidRequest, unknownCoin, venueBudget],
  }),
  listProducts: operation({
    summary: 'List what can be traded on the trade pages',
    description:
      'Listed markets of every dex that this deployment reads, the greatest volume first. modes names live only while live trading is switched on.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /ui/trade/products',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        computed_at: instant,
        stale: staleMember,
        sample: z.literal(false),
        made_up: madeUp.optional(),
        items: z.array(product).max(MARKETS_MAX),
      }),
    },
    refusals: [venueBudget],
  }),
} as const
