import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, exchange, instant, queryInt, symbol, tokenId } from './common.ts'

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

/** Alerts in one answer. */
export const ALERTS_MAX = 500

const episode = z.object({
  episode_id: z.string().max(64).meta({ example: 'cri_17' }),
  rule: crisisRule,
  severity: z.int().min(1).max(3).meta({ description: '1 at the threshold, 2 from 1.5 times it, 3 from twice it' }),
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
