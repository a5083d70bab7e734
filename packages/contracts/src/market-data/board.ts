import { job, operation, refusal, setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { common, exchange, instant, queryInt, symbol, tokenId } from '../common.ts'
import { openAlerts } from './crisis.ts'

/** Exchanges that the product knows how to read, by ccxt's id. */
export const VENUES = [
  'binance',
  'gate',
  'kucoin',
  'upbit',
  'mexc',
  'bithumb',
  'bybit',
  'okx',
  'bitget',
  'htx',
] as const
export type Venue = (typeof VENUES)[number]

/** A trading pair that stands on the board. `name` is the asset's name as the venue gives it, null when it gives none. */
export const pair = z.object({
  token_id: tokenId,
  exchange,
  symbol,
  base: z.string().min(1).max(32),
  quote: z.string().min(1).max(32),
  name: z.string().max(200).nullable(),
})
export type Pair = z.output<typeof pair>

/** Pairs asked for in one call of `findPairs`. */
export const PAIRS_PER_CALL_MAX = 200

/** Board rows in one answer to a caller without a key. */
export const OPEN_ROWS_MAX = 100

/** Pairs in crisis that the list of the lowest grades carries besides. */
export const IN_CRISIS_MAX = 100

/** Board rows in one answer. */
export const BOARD_ROWS_MAX = 2_500

const number = z.number()
const share = number.min(0).max(1)

/** Letter grade. */
export const letter = z
  .enum(['A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-', 'D+', 'D', 'D-', 'F'])
  .meta({ title: 'Letter' })
export type Letter = z.output<typeof letter>

/** Grade point average, 0 to 4.3. */
export const gpa = number.min(0).max(4.3).meta({ title: 'Gpa' })

/** Where a token stands in its life. */
export const lifecycle = z.enum(['new', 'active', 'watch', 'at_risk', 'halted', 'delisted'])
export type Lifecycle = z.output<typeof lifecycle>

/** Direction of the grade point average over a week; null when unknown. */
export const outlook = z.enum(['improving', 'stable', 'worsening'])
export type Outlook = z.output<typeof outlook>

/** What a venue says about a pair, in its own words, and what it means for the score. */
export const venueFlag = z
  .object({
    flag: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: "The venue's own word", example: 'caution.PRICE_FLUCTUATIONS' }),
    meaning: z
      .enum(['caution', 'warning', 'margin_delisting', 'delisting_announced', 'delisted_elsewhere'])
      .meta({ description: 'What it counts as; it sets the least risk score' }),
    since: instant.meta({ description: 'First seen' }),
    effective_at: instant.nullable().meta({ description: 'When it takes effect, where the venue says so' }),
  })
  .meta({ title: 'VenueFlag' })
export type VenueFlag = z.output<typeof venueFlag>

/** Why a grade point average is null: the components that are not known. */
const missing = z.array(z.enum(['spread', 'depth', 'volume', 'stability'])).max(4)

const boardRowMembers = {
  ...pair.shape,
  grade: letter.nullable().meta({ description: 'Letter of the grade point average; null when that is null' }),
  gpa: gpa.nullable().meta({ description: 'Grade point average; null while a component is unknown, never 0 for it' }),
  grades: z.object({
    spread: letter.nullable(),
    depth: letter.nullable(),
    volume: letter.nullable(),
    stability: letter.nullable(),
  }),
  spread_bps: number.nullable().meta({ description: 'Median of the last two hours, basis points of the mid' }),
  depth_2pct_usd: number
    .min(0)
    .nullable()
    .meta({ description: 'Twice the weaker side within 2 % of the mid, median of the last two hours' }),
  depth_is_lower_bound: z.boolean().meta({
    description: 'An order book behind the depth ended before 2 % of the mid: at least so much rests there',
  }),
  volume_24h_usd: number.min(0).nullable(),
  price: number.min(0).nullable().meta({ description: 'Last price in the quote currency' }),
  change_24h_pct: number.nullable(),
  lifecycle,
  outlook: outlook.nullable(),
  flags: z.array(venueFlag).max(20),
  alerts: openAlerts,
  updated_at: instant.nullable().meta({ description: 'Newest observation that went into the row' }),
}

/** One row of the board. */
export const boardRow = z.object(boardRowMembers).meta({ title: 'BoardRow' })
export type BoardRow = z.output<typeof boardRow>

const source = z
  .enum(['live', 'replay', 'mixed'])
  .meta({ description: '`replay`: recorded or synthetic markets, not the real exchanges' })

/** Members that every answer taken from a snapshot carries. */
export const snapshotMembers = {
  computed_at: instant.nullable(),
  stale: z.boolean().meta({ description: 'The snapshot is older than 15 minutes' }),
  pending: z.boolean().meta({ description: 'No snapshot exists yet; it does not mean that there are no tokens' }),
  source,
}

/** Whether a value is only known to be at least so large: a depth whose books ended before 2 % of the mid. */
export const is_lower_bound = z.boolean().meta({ description: 'The value is at least so large: books ended before it' })

/** One factor of a risk score; the points of all factors sum to the score. */
export const riskFactor = z.object({
  key: z.string().max(64),
  value: number.nullable(),
  is_lower_bound,
  percentile: number.min(0).max(100).nullable(),
  points: number.min(0).max(100),
})

/** Rank of the delisting risk among peers: not a probability. */
export const risk = z
  .object({
    score: z.int().min(0).max(100).nullable(),
    reason: z.enum(['too_few_peers', 'too_few_inputs']).nullable(),
    model_version: z.string().max(64),
    n_peers: z.int().min(0),
    factors: z.array(riskFactor).max(20),
    text: z.object({ en: z.string().max(2000), ko: z.string().max(2000) }),
  })
  .meta({ title: 'DelistingRisk' })

/** How one component of a grade point average came about. */
export const component = z
  .object({
    key: z.enum(['spread', 'depth', 'volume', 'stability']),
    value: number.nullable(),
    is_lower_bound,
    unit: z.enum(['bps', 'usd', 'share']),
    grade: letter.nullable(),
    points: number.min(0).max(4.3).nullable(),
    weight: share,
    contribution: number.nullable().meta({ description: 'points × weight' }),
    percentile: number.min(0).max(100).nullable().meta({ description: 'Mid-rank among the peers; 100 = most liquid' }),
    n: z.int().min(0).meta({ description: 'Observations behind the value' }),
  })
  .meta({ title: 'GradeComponent' })

const lifecycleEvent = z.object({
  seq: z.int().min(1).meta({ description: 'Gap-free per token' }),
  instance_id: z.int().min(1),
  from: lifecycle.nullable(),
  to: lifecycle,
  cause: z.string().max(64).meta({ example: 'absent_from_three_lists' }),
  evidence: z.record(z.string().max(64), z.unknown()),
  at: instant,
})

const percent = z.coerce.number().min(1).max(50).default(5).meta({ description: 'Share of the graded tokens, percent' })
const rowLimit = queryInt(1, BOARD_ROWS_MAX, 100, 'Rows of the answer; at most 100 without a key')
const rowOffset = queryInt(0, 1_000_000, 0, 'Rows to leave out')
const search = z.string().max(64).meta({ description: 'Part of a symbol or name, any case', example: 'btc' })

/** Refusals of the board. */
export const boardRefusals = {
  unknownExchange: refusal('unknown_exchange', {
    status: 404,
    title: 'Unknown exchange',
    meaning: 'No pair of this exchange is on the board.',
    fix: "Use an exchange id exactly as GET /coverage returns it, for example 'binance'.",
  }),
  unknownToken: refusal('unknown_token', {
    status: 404,
    title: 'Unknown token',
    meaning: 'No token on the board has this id.',
    fix: 'Use a token_id as GET /board returns it: <exchange>_<base>_<quote> in lower case.',
  }),
} as const

/** Board, search, coverage and the least graded tokens. */
export const boardOperations = {
  readBoard: operation({
    summary: 'Read the token board',
    description:
      'One snapshot of all pairs, computed every 5 minutes, ordered by 24-hour volume. Without a key at most 100 rows an answer.',
    auth: 'open',
    input: z.strictObject({
      exchange: exchange.optional(),
      q: search.optional(),
      limit: rowLimit,
      offset: rowOffset,
    }),
    success: {
      200: z.object({
        ...snapshotMembers,
        formula_version: z.string().max(64).nullable(),
        total: z.int().min(0).meta({ description: 'Rows that fit the filter' }),
        limit: z.int().min(1).max(BOARD_ROWS_MAX).meta({ description: 'Rows that this answer may hold' }),
        limit_reason: z.enum(['without_key']).nullable().meta({
          description:
            '`without_key`: fewer rows than asked for, since a caller without a key gets at most 100 an answer; go on with `offset`, or send a key',
        }),
        offset: z.int().min(0),
        tokens: z.array(boardRow).max(BOARD_ROWS_MAX),
      }),
    },
    refusals: [common.invalidRequest, boardRefusals.unknownExchange],
    http: 'GET /board',
    tool: 'board',
    cacheSec: 5,
    sharedAnswer: true,
  }),
  searchTokens: operation({
    summary: 'Search tokens across all exchanges',
    description: 'Exact symbols and bases first, then beginnings, then parts, each by 24-hour volume.',
    auth: 'open',
    input: z.strictObject({ q: search.min(1), limit: queryInt(1, 100, 20) }),
    success: {
      200: z.object({
        ...snapshotMembers,
        total: z.int().min(0),
        items: z
          .array(
            pair.extend({
              grade: letter.nullable(),
              gpa: gpa.nullable(),
              lifecycle,
              outlook: outlook.nullable(),
              alerts: openAlerts,
              volume_24h_usd: number.min(0).nullable(),
            }),
          )
          .max(100),
      }),
    },
    refusals: [common.invalidRequest],
    http: 'GET /tokens/search',
    tool: 'tokens_search',
    cacheSec: 5,
    sharedAnswer: true,
  }),
  explainToken: operation({
    summary: 'Explain the grades and the risk score of a token',
    description:
      'The row with everything it was computed from: components, risk factors, life so far. `inputs_sha256` names the stored inputs of the snapshot.',
    auth: 'account',
    input: z.strictObject({ token_id: tokenId }),
    success: {
      200: z.object({
        ...snapshotMembers,
        formula_version: z.string().max(64).nullable(),
        inputs_sha256: z.string().max(64).nullable(),
        row: boardRow,
        instance_id: z.int().min(1),
        predecessor_instance_id: z
          .int()
          .min(1)
          .nullable()
          .meta({ description: 'The delisted token that had this symbol before; it is another asset' }),
        missing,
        n_peers: z.int().min(0),
        components: z.array(component).max(4),
        risk: risk.nullable(),
        lifecycle_events: z.array(lifecycleEvent).max(100),
      }),
    },
    refusals: [boardRefusals.unknownToken],
    http: 'GET /tokens/{token_id}',
    tool: 'token',
    cacheSec: 5,
  }),
  readCoverage: operation({
    summary: 'Read what is covered and how well',
    auth: 'open',
    input: z.strictObject({}),
    success: {
      200: z.object({
        ...snapshotMembers,
        pairs: z.int().min(0),
        graded: z.int().min(0),
        exchanges: z
          .array(
            z.object({
              exchange,
              source: z.enum(['live', 'replay']),
              pairs: z.int().min(0).meta({ description: 'Pairs that trade' }),
              graded: z.int().min(0),
              halted: z.int().min(0),
              delisted: z.int().min(0),
              listed_at: instant.nullable().meta({ description: 'Last complete market list' }),
              observed_at: instant.nullable().meta({ description: 'Last accepted prices' }),
              depth_share: share
                .nullable()
                .meta({ description: 'Share of the pairs with a book of the last two hours' }),
              budget_closed_until: instant
                .nullable()
                .meta({ description: 'The venue asked to wait until then (418 or 429)' }),
              errors_1h: z.array(z.object({ class: z.string().max(32), count: z.int().min(0) })).max(20),
            }),
          )
          .max(50),
      }),
    },
    http: 'GET /coverage',
    tool: 'coverage',
    cacheSec: 5,
    sharedAnswer: true,
  }),
  listRiskBottom: operation({
    summary: 'List the tokens with the lowest grade point average',
    description:
      'The bottom percent of all graded tokens that trade, worst first, with the risk score of each and what it is made of.',
    auth: 'account',
    input: z.strictObject({ percent, exchange: exchange.optional(), limit: rowLimit, offset: rowOffset }),
    success: {
      200: z.object({
        ...snapshotMembers,
        formula_version: z.string().max(64).nullable(),
        percent: number,
        graded: z.int().min(0).meta({ description: 'Graded tokens of which the percent is taken' }),
        total: z.int().min(0).meta({ description: 'Tokens in the bottom percent' }),
        limit: z.int().min(1).max(BOARD_ROWS_MAX),
        offset: z.int().min(0),
        tokens: z.array(boardRow.extend({ risk: risk.nullable() })).max(BOARD_ROWS_MAX),
        in_crisis: z
          .array(boardRow.extend({ risk: risk.nullable() }))
          .max(IN_CRISIS_MAX)
          .meta({ description: 'Pairs with an open crisis episode, whatever their grade, the gravest first' }),
      }),
    },
    refusals: [common.invalidRequest, boardRefusals.unknownExchange],
    http: 'GET /risk/bottom',
    tool: 'risk_bottom',
    cacheSec: 5,
  }),
  findPairs: operation({
    summary: 'Find trading pairs by exchange and symbol',
    description: 'One entry per pair asked for, in the same order; null where the pair is not on the board.',
    auth: 'service',
    callers: ['mining', 'gateway', 'research-reports', 'subscriptions'],
    input: z.strictObject({
      pairs: z
        .array(z.strictObject({ exchange: z.string().max(64), symbol: z.string().max(100) }))
        .min(1)
        .max(PAIRS_PER_CALL_MAX),
    }),
    success: { 200: z.object({ pairs: z.array(pair.nullable()).max(PAIRS_PER_CALL_MAX) }) },
  }),
} as const

/** Jobs behind the board. Each looks at the clock for what is due; they tick often enough for a clock that runs 600 times as fast. */
export const boardJobs = {
  listMarkets: job({
    summary: 'Read the market lists and official flags of the venues',
    everyMs: 15_000,
    max: 10,
    budgetSec: 60,
  }),
  observeMarkets: job({
    summary: 'Observe prices of every pair each minute',
    everyMs: 5_000,
    wokenBy: ['listMarkets'],
    max: 10,
    budgetSec: 30,
  }),
  rotateBooks: job({
    summary: 'Read the order book of every pair within 5 minutes',
    everyMs: 1_000,
    wokenBy: ['listMarkets'],
    max: 2_000,
    budgetSec: 30,
  }),
  readCandles: job({
    summary: 'Read the candles of every pair within an hour',
    everyMs: 15_000,
    wokenBy: ['observeMarkets'],
    max: 50,
    budgetSec: 60,
  }),
  computeBoard: job({
    summary: 'Compute the board of all pairs',
    everyMs: 5_000,
    wokenBy: ['observeMarkets'],
    max: 1,
    budgetSec: 60,
  }),
  forgetObservations: job({
    summary: 'Forget observations and snapshots past their use',
    everyMs: 60_000,
    max: 5_000,
    budgetSec: 30,
  }),
} as const

const venueList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .pipe(z.array(z.enum(VENUES)).max(VENUES.length))

type BaseUrlKey = `baseUrl_${Venue}`
const baseUrl = (venue: Venue) =>
  setting({
    env: `MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`,
    schema: z.url({ protocol: /^https?$/ }),
    default: null,
    doc: `Address that answers in place of ${venue}; loopback only, unless MARKET_VENUE_BASE_URL_ALLOW_REMOTE is 1.`,
  })

export const boardSettings = {
  venues: setting({
    env: 'MARKET_VENUES',
    schema: venueList,
    default: '',
    doc: `Exchanges to read, comma separated, of: ${VENUES.join(', ')}. None by default.`,
  }),
  redisUrl: setting({
    env: 'SVC_REDIS_URL',
    schema: z.string().startsWith('redis'),
    default: 'redis://127.0.0.1:6379',
    secret: true,
    doc: 'Redis of the request budgets that all processes behind one address share.',
  }),
  outgoingAddress: setting({
    env: 'MARKET_OUTGOING_ADDRESS',
    schema: z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/),
    default: 'default',
    doc: 'Name of the address under which venues see this process; processes with the same name share request budgets.',
  }),
  venueTimeoutMs: setting({
    env: 'MARKET_VENUE_TIMEOUT_MS',
    schema: z.coerce.number().int().min(100).max(60_000),
    default: '10000',
    doc: 'Milliseconds to wait for one answer of an exchange.',
  }),
  allowRemoteBaseUrl: setting({
    env: 'MARKET_VENUE_BASE_URL_ALLOW_REMOTE',
    schema: switchWord,
    default: '0',
    doc: '1 allows MARKET_VENUE_BASE_URL_* to name other machines.',
  }),
  localBudgetFactor: setting({
    env: 'MARKET_LOCAL_BUDGET_FACTOR',
    schema: z.coerce.number().min(1).max(10_000),
    default: '1',
    doc: 'Multiplies the request budgets of venues on this machine, whose clock may run faster than real time.',
  }),
  ...(Object.fromEntries(VENUES.map((venue) => [`baseUrl_${venue}`, baseUrl(venue)])) as Record<
    BaseUrlKey,
    ReturnType<typeof baseUrl>
  >),
} as const
