import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { common, decimalText, exchange, integerText, tokenId } from '../common.ts'
import {
  BOARD_ROWS_MAX,
  boardRefusals,
  boardRow,
  letter,
  lifecycle,
  rowLimit,
  rowOffset,
  search,
  snapshotMembers,
  venueFlag,
} from './board.ts'
import { crisisRule } from './crisis.ts'
import { queryWords } from './query-words.ts'

/** Members of a row that `fields` chooses from. The identity of a row and its alerts are always in it. */
export const BOARD_FIELDS = Object.keys(boardRow.shape).filter(
  (name) => !['token_id', 'exchange', 'symbol'].includes(name),
) as readonly Exclude<keyof z.output<typeof boardRow>, 'token_id' | 'exchange' | 'symbol'>[]
export type BoardField = (typeof BOARD_FIELDS)[number]

/** What rows can be ordered by. */
export const BOARD_SORTS = ['volume', 'gpa', 'risk_score', 'change', 'spread', 'depth', 'symbol'] as const
export type BoardSort = (typeof BOARD_SORTS)[number]

const QUOTES_MAX = 20
/** Pairs that one query names. */
export const BOARD_TOKENS_MAX = 100
const QUOTE = /^[A-Z0-9$._-]{1,32}$/

const from = (min: number, max: number, what: string) =>
  decimalText(min, max)
    .optional()
    .meta({ description: `Least ${what}; rows without a value are left out` })
const upTo = (min: number, max: number, what: string) =>
  decimalText(min, max)
    .optional()
    .meta({ description: `Greatest ${what}` })

/** Ranges of a screener: their names, with `_min` and `_max`, are those of the row. */
export const BOARD_RANGES = ['gpa', 'risk_score', 'volume_24h_usd'] as const

const USD_MAX = 1e15

/** Query of the board. */
export const boardQuery = z
  .strictObject({
    token_id: z
      .string()
      .max(4_000)
      .superRefine((text, context) => {
        const ids = text.split(',')
        if (ids.length > BOARD_TOKENS_MAX || ids.some((id) => !tokenId.safeParse(id).success))
          context.addIssue({
            code: 'custom',
            message: `write at most ${BOARD_TOKENS_MAX} token ids, separated by commas, for example binance_btc_usdt,upbit_btc_krw`,
          })
      })
      .optional()
      .meta({ description: 'Pairs by their ids, separated by commas; an unknown one has no row' }),
    exchange: exchange.optional(),
    q: search.optional(),
    quote: z
      .string()
      .max(400)
      .superRefine((text, context) => {
        const words = text.split(',')
        if (words.length > QUOTES_MAX || words.some((word) => !QUOTE.test(word)))
          context.addIssue({
            code: 'custom',
            message: `write at most ${QUOTES_MAX} quote currencies in capitals, separated by commas, for example USDT,KRW`,
          })
      })
      .optional()
      .meta({ description: 'Quote currencies, separated by commas', example: 'USDT,USDC' }),
    grade: queryWords([...letter.options], 'Letters of `grade`, separated by commas, for example A,A-').optional(),
    gpa_min: from(0, 4.3, '`gpa`'),
    gpa_max: upTo(0, 4.3, '`gpa`'),
    risk_score_min: from(0, 100, '`risk_score`'),
    risk_score_max: upTo(0, 100, '`risk_score`'),
    volume_24h_usd_min: from(0, USD_MAX, '`volume_24h_usd`'),
    volume_24h_usd_max: upTo(0, USD_MAX, '`volume_24h_usd`'),
    lifecycle: queryWords([...lifecycle.options], 'States, separated by commas').optional(),
    alerts: z
      .enum(['open', 'none', 'unknown'])
      .optional()
      .meta({ description: '`open`: a crisis is open. `unknown`: not judged within ten minutes' }),
    alert_rule: queryWords([...crisisRule.options], 'Rules of which one has an open crisis').optional(),
    alert_severity_min: from(1, 3, 'severity of an open crisis'),
    flags: z.enum(['any', 'none']).optional().meta({ description: 'With or without a flag of a venue' }),
    flag_meaning: queryWords([...venueFlag.shape.meaning.options], 'Classes of flags of which one stands').optional(),
    sort: z
      .enum(BOARD_SORTS)
      .default('volume')
      .meta({ description: 'Order of the rows; rows without a value come last, equal rows by token_id' }),
    order: z
      .enum(['asc', 'desc'])
      .optional()
      .meta({ description: 'Default `asc` for spread and symbol, otherwise `desc`' }),
    fields: queryWords(
      BOARD_FIELDS,
      'Members of each row, separated by commas; token_id, exchange, symbol, alerts, recent_alerts and not_judged are always in it. Default all',
    ).optional(),
    snapshot: integerText(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({ description: '`snapshot` of the first page: 409 if a newer board has replaced it', format: 'int64' }),
    limit: rowLimit,
    offset: rowOffset,
  })
  .superRefine((query, context) => {
    for (const name of BOARD_RANGES) {
      const [min, max] = [query[`${name}_min`], query[`${name}_max`]]
      if (min !== undefined && max !== undefined && min > max)
        context.addIssue({
          code: 'custom',
          path: [`${name}_max`],
          message: `is below ${name}_min; give a ${name}_max of at least ${min}`,
        })
    }
  })
export type BoardQuery = z.output<typeof boardQuery>

/** Refusals of the screener. */
export const screenerRefusals = {
  snapshotReplaced: refusal('snapshot_replaced', {
    status: 409,
    title: 'Board replaced',
    meaning: 'A newer board has replaced the snapshot of the first page; a page of it would repeat or leave out rows.',
    fix: 'Read again from offset 0, with the `snapshot` of this answer or without one.',
    details: z.object({ snapshot: z.int().min(1).nullable().meta({ description: 'The present snapshot' }) }),
  }),
} as const

/**
 * A row as the board shows it: with `fields`, only the chosen members, the identity and the alerts. Its type is that of a whole row,
 * because callers in this repository do not choose members.
 */
export const screenedRow = boardRow
  .partial()
  .required({ token_id: true, exchange: true, symbol: true, alerts: true, recent_alerts: true, not_judged: true })
  .meta({ title: 'ScreenedRow' }) as unknown as typeof boardRow

/** The board of all pairs as a screener. */
export const screenerOperations = {
  readBoard: operation({
    summary: 'Read or screen the board: grades, prices, risk scores, flags and open alerts of all trading pairs',
    description:
      'Returns rows of one snapshot, which is computed every 5 minutes. All filters must hold. For the next page send `offset` and `snapshot`. Without a key an answer has at most 100 rows.',
    auth: 'open',
    csv: { list: 'tokens', head: ['computed_at', 'stale'] },
    input: boardQuery,
    success: {
      200: z.object({
        ...snapshotMembers,
        snapshot: z.int().min(1).nullable().meta({ description: 'Number of the snapshot; null before the first' }),
        formula_version: z.string().max(64).nullable(),
        total: z.int().min(0).meta({ description: 'Number of rows that match the filters' }),
        limit: z.int().min(1).max(BOARD_ROWS_MAX).meta({ description: 'Most rows that this answer can have' }),
        limit_reason: z.enum(['without_key']).nullable().meta({
          description:
            '`without_key`: the answer is limited to 100 rows because the request has no key. Send a key, or read the next rows with `offset`. Null if the limit is the requested one',
        }),
        offset: z.int().min(0),
        tokens: z.array(screenedRow).max(BOARD_ROWS_MAX),
      }),
    },
    refusals: [common.invalidRequest, boardRefusals.unknownExchange, screenerRefusals.snapshotReplaced],
    http: 'GET /board',
    tool: 'board',
    toolTitle: 'Board of grades and risk',
    cacheSec: 5,
    sharedAnswer: true,
  }),
} as const
