import { operation } from '@svc/contract'
import { z } from 'zod'
import { common, exchange, givenInstant, instant, symbol, tokenId } from '../common.ts'
import { boardRefusals, boardRow, snapshotMembers, venueFlag } from './board.ts'
import { alertMembers, crisisRule } from './crisis.ts'

/** Most points in one answer. */
export const HISTORY_POINTS_MAX = 1_000

/** Steps of a history, in minutes, the finest first. */
export const HISTORY_STEPS = { '5m': 5, '1h': 60, '1d': 1_440 } as const
export type HistoryStep = keyof typeof HISTORY_STEPS

/** Days for which the points of a step are kept at least. */
export const HISTORY_DAYS: Readonly<Record<HistoryStep, number>> = { '5m': 2, '1h': 90, '1d': 1_095 }

/** What the board showed of a pair. Dollars, basis points and percent are kept to six digits. */
const historyPoint = z
  .object({
    at: instant.meta({ description: 'Start of the step' }),
    computed_at: instant.meta({ description: 'When the board was computed: the last one of the step' }),
    instance_id: z.int().min(1),
    ...boardRow.pick({
      grade: true,
      gpa: true,
      gpa_is_lower_bound: true,
      grades: true,
      spread_bps: true,
      depth_2pct_usd: true,
      depth_is_lower_bound: true,
      volume_24h_usd: true,
      price: true,
      change_24h_pct: true,
      lifecycle: true,
      outlook: true,
      risk_score: true,
    }).shape,
    flags: z.array(venueFlag.shape.meaning).max(8).meta({ description: 'Classes of the flags that stood' }),
    alerts: z
      .array(z.object({ rule: crisisRule, severity: z.int().min(1).max(3) }))
      .max(crisisRule.options.length)
      .nullable()
      .meta({ description: 'Crises that the row showed as open; null if they were unknown' }),
    crises: z
      .int()
      .min(0)
      .meta({ description: 'Crises that were open at any time of the step, also between two boards' }),
  })
  .meta({ title: 'HistoryPoint' })
export type HistoryPoint = z.output<typeof historyPoint>

/** The past of a pair on the board. */
export const historyOperations = {
  readTokenHistory: operation({
    summary: 'Read the past of one pair: grades, risk score, spread, depth, volume, lifecycle and crises over time',
    description:
      'Returns a point for each step from `from` to before `to`, or with `as_of` the row as the board showed it then. A step without a board has no point. Kept: 5-minute steps 2 days, hours 90 days, days 3 years.',
    auth: 'account',
    input: z
      .strictObject({
        token_id: tokenId,
        step: z
          .enum(Object.keys(HISTORY_STEPS) as [HistoryStep, ...HistoryStep[]])
          .default('1h')
          .meta({ description: 'Time between points; an answer has at most 1,000' }),
        from: givenInstant
          .optional()
          .meta({ description: 'Default a day, a week or 90 days before `to`, by the step' }),
        to: givenInstant.optional().meta({ description: 'Default now' }),
        as_of: givenInstant
          .optional()
          .meta({ description: 'Instead of `from` and `to`: one point, of the finest step kept' }),
      })
      .superRefine(({ from, to, as_of }, context) => {
        if (as_of !== undefined && (from !== undefined || to !== undefined))
          context.addIssue({ code: 'custom', path: ['as_of'], message: 'stands alone; remove from and to, or as_of' })
      }),
    success: {
      200: z.object({
        ...snapshotMembers,
        token_id: tokenId,
        exchange,
        symbol,
        ...alertMembers,
        step: z.enum(Object.keys(HISTORY_STEPS) as [HistoryStep, ...HistoryStep[]]),
        from: instant,
        to: instant,
        kept_from: instant.meta({ description: 'Older points of this step are no longer kept' }),
        points: z.array(historyPoint).max(HISTORY_POINTS_MAX),
      }),
    },
    refusals: [common.invalidRequest, boardRefusals.unknownToken],
    http: 'GET /tokens/{token_id}/history',
    csv: { list: 'points', head: ['token_id', 'step'] },
    tool: 'token_history',
    toolTitle: 'History of a pair',
    cacheSec: 5,
  }),
} as const
