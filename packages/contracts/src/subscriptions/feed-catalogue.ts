import { z } from 'zod'
import { exchange, instant, symbol, tokenId } from '../common.ts'
import { openAlerts } from '../market-data/crisis.ts'

const asset = z.string().min(1).max(32)
const number = z.number()
const text = (max: number) => z.string().max(max)

/** An alert that began, became worse or ended. */
const crisisAlert = z.object({
  episode_id: text(64),
  change: z.enum(['opened', 'escalated', 'closed']).meta({
    description: 'escalated: an open episode reached a higher severity',
  }),
  rule: text(40).meta({ description: 'Rule that holds, as in the method documents', example: 'relative_crash' }),
  severity: z.int().min(1).max(3),
  token_id: tokenId.nullable(),
  exchange,
  symbol,
  at: instant,
  value: number.nullable().meta({
    description: "The rule's measure, in its unit: when the episode opened, or when it escalated",
  }),
  threshold: number.nullable(),
  text: text(500),
})

const opportunity = z.object({
  asset,
  net_bps: number.meta({ description: 'After taker fees, at the executable size' }),
  executable_usd: number.min(0),
  depth_is_lower_bound: z.boolean().meta({
    description: 'A book ended before the difference did: at least so much can be traded',
  }),
  profit_usd: number,
})
const leg = z.object({ exchange, symbol, alerts: openAlerts })

/** The best executable differences between two exchanges. */
const arbitrageTwo = z.object({
  computed_at: instant,
  items: z.array(opportunity.extend({ buy: leg, sell: leg, gross_bps: number })).max(20),
})

/** The same over three exchanges and more. */
const arbitrageThree = z.object({
  computed_at: instant,
  items: z.array(opportunity.extend({ legs: z.array(leg.extend({ side: z.enum(['buy', 'sell']) })).max(20) })).max(20),
})

/** One minute of the priority pool: every pair that is a target of somebody. */
const priorityPool = z.object({
  minute: instant,
  targets: z.int().min(0).max(1_000_000),
  items: z
    .array(
      z.object({
        exchange,
        symbol,
        price: number.nullable(),
        spread_bps: number.nullable(),
        depth_2pct_usd: number.nullable(),
        depth_is_lower_bound: z.boolean(),
        flags: z.array(text(40)).max(10),
        alerts: openAlerts,
      }),
    )
    .max(100)
    .meta({ description: 'Those whose spread or depth moved most, at most 100' }),
})

interface Feed {
  readonly title: string
  readonly description: string
  /** Lowest tier that may subscribe. */
  readonly tier: 0 | 1 | 2
  /** Seconds between two items, at most; 0 when items come as things happen. */
  readonly intervalSec: number
  readonly data: z.ZodObject
  readonly sample: Readonly<Record<string, unknown>>
}

const at = '2026-11-21T09:30:00.000Z'

/** Every feed, by key: what it tells, who may have it, and the shape of an item's data. */
export const feeds = {
  crisis_alerts: {
    title: 'Crisis alerts',
    description:
      'Crashes, vanishing liquidity, halts, lost pegs and official notices, when they begin, get worse and end.',
    tier: 0,
    intervalSec: 0,
    data: crisisAlert,
    sample: {
      episode_id: 'cri_1',
      change: 'opened',
      rule: 'relative_crash',
      severity: 2,
      token_id: 'tok_1',
      exchange: 'binance',
      symbol: 'FTT/USDT',
      at,
      value: -0.163,
      threshold: -0.12,
      text: 'FTT/USDT on binance fell 16.3 % more than its market within an hour.',
    },
  },
  arbitrage_2cex: {
    title: 'Arbitrage between two exchanges',
    description: 'Differences that both order books carry after taker fees, best first. Not an offer to trade.',
    tier: 0,
    intervalSec: 60,
    data: arbitrageTwo,
    sample: {
      computed_at: at,
      items: [
        {
          asset: 'XYZ',
          gross_bps: 61.2,
          net_bps: 38.4,
          executable_usd: 1_840.5,
          depth_is_lower_bound: false,
          profit_usd: 7.07,
          buy: { exchange: 'gate', symbol: 'XYZ/USDT', alerts: [] },
          sell: { exchange: 'kucoin', symbol: 'XYZ/USDT', alerts: [] },
        },
      ],
    },
  },
  arbitrage_3cex: {
    title: 'Arbitrage over three exchanges and more',
    description: 'One matching of all order books of an asset, after taker fees, best first. Not an offer to trade.',
    tier: 2,
    intervalSec: 60,
    data: arbitrageThree,
    sample: {
      computed_at: at,
      items: [
        {
          asset: 'XYZ',
          net_bps: 31.7,
          executable_usd: 2_600,
          depth_is_lower_bound: false,
          profit_usd: 8.24,
          legs: [
            { exchange: 'gate', symbol: 'XYZ/USDT', side: 'buy', alerts: [] },
            { exchange: 'mexc', symbol: 'XYZ/USDT', side: 'buy', alerts: [] },
            { exchange: 'kucoin', symbol: 'XYZ/USDT', side: 'sell', alerts: [] },
          ],
        },
      ],
    },
  },
  priority_pool: {
    title: 'Priority pool',
    description: 'Every minute, the pairs that agents watch as priority targets and what moved most among them.',
    tier: 1,
    intervalSec: 60,
    data: priorityPool,
    sample: {
      minute: at,
      targets: 1,
      items: [
        {
          exchange: 'binance',
          symbol: 'NKN/USDT',
          price: 0.0897,
          spread_bps: 11.4,
          depth_2pct_usd: 164_000,
          depth_is_lower_bound: false,
          flags: [],
          alerts: [],
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Feed>>

export type FeedKey = keyof typeof feeds
const keys = Object.keys(feeds) as [FeedKey, ...FeedKey[]]

/** Name of a feed. */
export const feedKey = z.enum(keys).meta({ description: 'Feed, from GET /feeds/catalog', example: 'crisis_alerts' })

/** An item as its producer tells it: the feed decides the shape of `data`. */
export const feedItemMade = z.object({ feed_key: feedKey, at: instant, data: z.looseObject({}) })
