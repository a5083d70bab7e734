import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, instant } from '../common.ts'
import { crisisRule } from './crisis.ts'

/** Most months in one answer. */
export const SCOREBOARD_MONTHS_MAX = 36
/** Days within which a delisting counts. */
export const SCORE_DAYS = [30, 90, 365] as const

const month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .max(7)
  .meta({ description: 'UTC month', example: '2026-11' })
const count = z.int().min(0)

const scoreMonth = z
  .object({
    month,
    snapshot: z.iso
      .date()
      .max(10)
      .meta({ description: 'UTC day whose last ranks were kept: the first of the month that has some' }),
    days: z.int().min(1).max(365).meta({ description: 'Days after it within which a delisting counts: 30, 90 or 365' }),
    pairs: count.meta({ description: 'Ranked pairs that nobody had announced for delisting' }),
    delisted: count.meta({ description: 'Of them announced for delisting, or delisted, within `days`' }),
    auc: z.number().min(0).max(1).nullable().meta({
      description:
        'Chance that a delisted pair ranked above another one; 0.5 is a coin, null below five delisted pairs',
    }),
    top_tenth: z
      .object({ pairs: count, delisted: count })
      .meta({ description: 'The tenth of the pairs with the highest ranks, equal ranks included' }),
    computed_at: instant,
  })
  .meta({ title: 'ScoreMonth' })

const crisisMonth = z
  .object({
    month,
    rule: crisisRule,
    days: count.max(31).meta({ description: 'Days of the month with a board' }),
    pairs: count.meta({ description: 'Pairs of a mean day' }),
    episodes: count.meta({ description: 'Episodes that began in the month' }),
    alerted: count.meta({ description: 'Pairs with one' }),
    per_100_pairs_week: z.number().min(0).nullable().meta({ description: 'Episodes per 100 pairs and week' }),
    closed: z
      .object({ recovered: count, ended: count, unknown: count })
      .meta({ description: 'How they had closed a week after the month; the rest was still open' }),
    computed_at: instant,
  })
  .meta({ title: 'CrisisMonth' })

/** The score and the crisis rules, judged month by month by what came after. */
export const scoreboardOperations = {
  readScoreboard: operation({
    summary: 'Read how the delisting score and the crisis rules did, month by month',
    description:
      'Each entry is computed once, when its time is over, from ranks and episodes that were stored before, and does not change. Newest month first.',
    auth: 'open',
    input: z.strictObject({}),
    success: {
      200: z.object({
        source: z
          .enum(['live', 'replay', 'mixed'])
          .meta({ description: 'live: real exchanges; otherwise recorded or made-up markets' }),
        since: z.iso
          .date()
          .max(10)
          .nullable()
          .meta({ description: 'First UTC day of which ranks are kept; null before the first' }),
        scores: z.array(scoreMonth).max(SCOREBOARD_MONTHS_MAX * SCORE_DAYS.length),
        rules: z.array(crisisMonth).max(SCOREBOARD_MONTHS_MAX * crisisRule.options.length),
      }),
    },
    refusals: [common.invalidRequest],
    http: 'GET /risk/scoreboard',
    cacheSec: 60,
    sharedAnswer: true,
  }),
} as const

export const scoreboardJobs = {
  keepScoreboard: job({
    summary: 'Judge the scores and crisis rules of months whose time is over',
    everyMs: 3_600_000,
    max: 10,
    budgetSec: 60,
  }),
} as const
