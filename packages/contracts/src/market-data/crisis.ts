import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, exchange, instant, queryInt, symbol, tokenId } from '../common.ts'

/** The rules that open an episode, as the method documents define them. */
export const crisisRule = z.enum([
  'crash',
  'liquidity_withdrawal',
  'spread_blowout',
  'halt',
  'depeg',
  'official_notice',
  'cross_venue_gap',
])

const severity = z.int().min(1).max(3).meta({ description: '1 at the threshold, 2 from 1.5 times it, 3 from twice it' })

/** A crisis episode that is open, as every answer that names the pair carries it. */
export const openAlert = z
  .object({
    episode_id: z.string().max(64).meta({ example: 'cri_17' }),
    rule: crisisRule,
    severity,
    opened_at: instant,
    text: z.object({ en: z.string().max(500), ko: z.string().max(500) }),
  })
  .meta({ title: 'OpenAlert' })
export type OpenAlert = z.output<typeof openAlert>

/** Open episodes of a pair: one a rule at most. */
export const openAlerts = z.array(openAlert).max(crisisRule.options.length).nullable().meta({
  description:
    'Crisis episodes of the pair that are open, the gravest first; null while the last ten minutes were not judged, which is not the same as none',
})

/** Alerts in one answer. */
export const ALERTS_MAX = 500

const episode = z.object({
  episode_id: z.string().max(64).meta({ example: 'cri_17' }),
  rule: crisisRule,
  severity,
  token_id: tokenId,
  exchange,
  symbol,
  opened_at: instant,
  closed_at: instant.nullable(),
  close_reason: z
    .enum(['recovered', 'ended'])
    .nullable()
    .meta({ description: 'ended: the token was delisted; nothing recovered' }),
  value: z.number().nullable().meta({ description: "The rule's measure when it opened, in its unit" }),
  threshold: z.number().nullable(),
  text: z.string().max(500),
  inputs: z.record(z.string().max(64), z.unknown()).meta({ description: 'Everything that the rule read' }),
  rules_version: z.string().max(64),
})

export const alertOperations = {
  listCrisisAlerts: operation({
    summary: 'List crisis alerts',
    description:
      'Episodes that are open now, newest first; with state=all those of the last 7 days too. A token has one episode a rule at a time.',
    auth: 'open',
    http: 'GET /alerts/crisis',
    tool: 'alerts_crisis',
    cacheSec: 2,
    sharedAnswer: true,
    input: z.strictObject({
      exchange: exchange.optional(),
      state: z.enum(['open', 'all']).default('open'),
      limit: queryInt(1, ALERTS_MAX, 100),
    }),
    success: {
      200: z.object({
        computed_at: instant.nullable().meta({ description: 'Newest minute that was judged; null before the first' }),
        computed_to: instant.nullable().meta({
          description:
            'Up to this minute every exchange that was asked for was judged; an episode that began later is not in the answer. Null before the first',
        }),
        stale: z.boolean().meta({
          description: 'The last 5 minutes were not judged: an answer without items does not mean that all is calm',
        }),
        exchanges: z
          .array(z.object({ exchange, computed_to: instant, stale: z.boolean() }))
          .max(50)
          .meta({ description: 'How far each exchange was judged' }),
        source: z.enum(['live', 'replay', 'mixed']),
        total: z.int().min(0),
        items: z.array(episode).max(ALERTS_MAX),
      }),
    },
    refusals: [common.invalidRequest],
  }),
} as const

export const alertJobs = {
  watchCrisis: job({
    summary: 'Judge each minute of the market and tell the crises that begin and end',
    everyMs: 5_000,
    wokenBy: ['observeMarkets', 'listMarkets'],
    max: 60,
    budgetSec: 60,
  }),
} as const
