import { z } from 'zod'
import { exchange, instant, symbol, tokenId } from '../common.ts'
import { closedAs, crisisRule, openAlerts } from '../market-data/crisis.ts'
import samples from './feed-samples.json' with { type: 'json' }

const asset = z.string().min(1).max(32)
const number = z.number()
const text = (max: number) => z.string().max(max)

/** An alert that opened, escalated or closed. */
const crisisAlert = z.object({
  episode_id: text(64),
  change: z.enum(['opened', 'escalated', 'closed']).meta({
    description: 'escalated: an open episode reached a higher severity',
  }),
  closed_as: closedAs.optional(),
  rule: crisisRule,
  severity: z.int().min(1).max(3),
  token_id: tokenId.nullable(),
  exchange,
  symbol,
  at: instant,
  value: number.nullable().meta({
    description: "The rule's measure, in its unit: when the episode opened or escalated; of a closed one the worst",
  }),
  threshold: number.nullable(),
  text: text(500),
})

const opportunity = z.object({
  asset,
  net_bps: number.meta({ description: 'After taker fees, at the executable size' }),
  executable_usd: number.min(0),
  depth_is_lower_bound: z.boolean().meta({
    description: 'True if an order book ended before the difference did: at least this size can be traded',
  }),
  profit_usd: number,
})
const leg = z.object({ exchange, symbol, alerts: openAlerts })

/** The best executable differences between two exchanges. */
const arbitrageTwo = z.object({
  computed_at: instant,
  items: z.array(opportunity.extend({ buy: leg, sell: leg, gross_bps: number })).max(20),
})

/** The best executable differences over three or more exchanges. */
const arbitrageThree = z.object({
  computed_at: instant,
  items: z.array(opportunity.extend({ legs: z.array(leg.extend({ side: z.enum(['buy', 'sell']) })).max(20) })).max(20),
})

/** One minute of the priority pool, which contains every pair that is a target of an account. */
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
    .meta({ description: 'The pairs whose spread or depth changed most, at most 100' }),
})

interface Feed {
  readonly title: string
  readonly description: string
  /** Lowest tier that may subscribe. */
  readonly tier: 0 | 1 | 2
  /** Most seconds between two items; 0 for an item whenever something happens. */
  readonly intervalSec: number
  readonly data: z.ZodObject
  /** An item that the code of its producer published in a test, recorded by `npm run examples`. */
  readonly sample: Readonly<Record<string, unknown>>
}

/** Every feed by key: its content, the tier it requires, and the schema of an item's data. */
export const feeds = {
  crisis_alerts: {
    title: 'Crisis alerts',
    description:
      'Crashes, vanishing liquidity, halts, lost pegs and official notices, when they open, escalate and close.',
    tier: 0,
    intervalSec: 0,
    data: crisisAlert,
    sample: samples.crisis_alerts,
  },
  arbitrage_2cex: {
    title: 'Arbitrage between two exchanges',
    description:
      'Price differences that both order books can execute after taker fees, best first. Not an offer to trade.',
    tier: 0,
    intervalSec: 60,
    data: arbitrageTwo,
    sample: samples.arbitrage_2cex,
  },
  arbitrage_3cex: {
    title: 'Arbitrage over three or more exchanges',
    description: 'One matching of all order books of an asset, after taker fees, best first. Not an offer to trade.',
    tier: 2,
    intervalSec: 60,
    data: arbitrageThree,
    sample: samples.arbitrage_3cex,
  },
  priority_pool: {
    title: 'Priority pool',
    description: 'Every minute, those pairs among the priority targets of agents that moved most.',
    tier: 1,
    intervalSec: 60,
    data: priorityPool,
    sample: samples.priority_pool,
  },
} as const satisfies Readonly<Record<string, Feed>>

export type FeedKey = keyof typeof feeds
const keys = Object.keys(feeds) as [FeedKey, ...FeedKey[]]

/** Key of a feed. */
export const feedKey = z
  .enum(keys)
  .meta({ title: 'FeedKey', description: 'Feed, from GET /feeds/catalog', example: 'crisis_alerts' })

/** An item as its producer publishes it; the feed decides the schema of `data`. */
export const feedItemMade = z.object({ feed_key: feedKey, at: instant, data: z.looseObject({}) })
