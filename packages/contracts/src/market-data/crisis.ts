import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, exchange, givenInstant, instant, queryInt, symbol, tokenId, strangersText } from '../common.ts'

/** Rules that open a crisis episode; `docs/method/crisis.md` defines them. */
export const crisisRule = z.enum([
  'crash',
  'liquidity_withdrawal',
  'spread_blowout',
  'halt',
  'depeg',
  'official_notice',
  'cross_venue_gap',
])

const severity = z
  .int()
  .min(1)
  .max(3)
  .meta({ description: '1 from the threshold, 2 from 1.5 times it, 3 from twice it' })

/** An open crisis episode, as it appears in every answer about the pair. */
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

/** Open episodes of a pair, at most one per rule. */
export const openAlerts = z.array(openAlert).max(crisisRule.options.length).nullable().meta({
  title: 'OpenAlerts',
  description:
    'Open crisis episodes of the pair, the most severe first. Null if the last ten minutes have not been judged: then it is unknown whether there are any',
})

/** Why an episode is over. */
export const closedAs = z.enum(['recovered', 'ended', 'unknown']).meta({
  title: 'ClosedAs',
  description:
    '`recovered`: the rule no longer held. `ended`: the token was delisted. `unknown`: it could not be judged for 12 hours',
})

/** Days for which an episode is remembered after it closed: the pair stays `watch` or worse, and its score has a floor. */
export const MEMORY_DAYS = 7

/** A crisis episode that is over. */
export const pastAlert = openAlert
  .extend({ closed_at: instant, closed_as: closedAs.optional() })
  .meta({ title: 'PastAlert' })
export type PastAlert = z.output<typeof pastAlert>

/** Episodes of a pair that are over and remembered, at most one per rule. */
export const recentAlerts = z
  .array(pastAlert)
  .max(crisisRule.options.length)
  .nullable()
  .meta({
    title: 'RecentAlerts',
    description: `Crisis episodes that closed within ${MEMORY_DAYS} days, of each rule the one that weighs most. Null if this was not stored yet`,
  })

/** Why a rule cannot be judged. */
export const notJudgedReason = z.enum([
  'no_price',
  'no_price_an_hour_ago',
  'too_few_minutes',
  'no_book',
  'too_few_books',
  'book_made_up',
  'depth_is_lower_bound',
  'list_too_old',
])
export type NotJudgedReason = z.output<typeof notJudgedReason>

/** Rules that cannot be judged for a pair: an empty list of alerts says nothing about them. */
export const notJudged = z
  .array(
    z.object({ rule: crisisRule, reason: notJudgedReason, since: instant }).meta({
      title: 'NotJudged',
      description:
        '`too_few_minutes`: prices need two hours after a listing, silence six hours. `too_few_books`: medians need six hours. `book_made_up`: the venue is simulated. `list_too_old`: what the venue states is more than 30 minutes old',
    }),
  )
  .max(crisisRule.options.length)
  .nullable()
  .meta({
    title: 'NotJudgedRules',
    description:
      'Rules of which `alerts` says nothing, for ten minutes or longer. Null if none was judged, or if this was not stored yet',
  })
export type NotJudgedRules = z.output<typeof notJudged>

/** What every answer about a pair says of its crises; the last release did not know the optional ones. */
export const alertMembers = {
  alerts: openAlerts,
  recent_alerts: recentAlerts.optional(),
  not_judged: notJudged.optional(),
}

/** Most alerts in one answer. */
export const ALERTS_MAX = 500

const inputs = z.record(z.string().max(64), z.unknown()).meta({ title: 'CrisisInputs' })

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
    .meta({ description: 'As `closed_as`, null if that is `unknown`' }),
  closed_as: closedAs.optional(),
  value: z.number().nullable().meta({ description: 'Of the rule in its unit, when the episode opened' }),
  threshold: z.number().nullable(),
  worst_value: z.number().nullable().optional(),
  value_now: z.number().nullable().optional(),
  text: strangersText(500),
  inputs,
  worst_inputs: inputs.optional(),
  rules_version: z.string().max(64),
})

export const alertOperations = {
  listCrisisAlerts: operation({
    summary: 'List crisis alerts: crashes, halts, vanished liquidity, depegs and official notices of pairs',
    description:
      'Returns the episodes that are open now, newest first; with `state=all` also those that closed within 7 days. A pair has at most one open episode per rule. If `stale`, an empty list does not mean a quiet market.',
    auth: 'open',
    http: 'GET /alerts/crisis',
    csv: { list: 'items', head: ['computed_at', 'stale'] },
    tool: 'alerts_crisis',
    toolTitle: 'Crisis alerts',
    cacheSec: 2,
    sharedAnswer: true,
    input: z.strictObject({
      exchange: exchange.optional(),
      state: z.enum(['open', 'all']).default('open').meta({ description: 'all: also ended ones' }),
      since: givenInstant.optional().meta({
        description:
          'Only episodes that opened at or after this time; with `state=all` also those that closed since then, at most 7 days back',
      }),
      limit: queryInt(1, ALERTS_MAX, 100),
    }),
    success: {
      200: z.object({
        computed_at: instant
          .nullable()
          .meta({ description: 'Newest minute that was judged for any exchange; null before the first' }),
        computed_to: instant.nullable().meta({
          description:
            'Newest minute that was judged for all requested exchanges; an episode that began later is not in the answer. Null before the first',
        }),
        stale: z.boolean().meta({
          description:
            'True if the last 5 minutes have not been judged: an empty list then does not mean that there is no crisis',
        }),
        exchanges: z
          .array(z.object({ exchange, computed_to: instant, stale: z.boolean() }))
          .max(50)
          .meta({ description: 'Newest judged minute of each exchange' }),
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
    summary: 'Judge each minute of the market, and open, escalate and close crisis episodes',
    everyMs: 5_000,
    wokenBy: ['observeMarkets', 'listMarkets'],
    max: 60,
    budgetSec: 60,
  }),
} as const
