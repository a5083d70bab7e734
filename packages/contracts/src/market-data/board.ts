import { job, operation, refusal, setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { common, decimalText, exchange, instant, queryInt, symbol, tokenId, strangersText } from '../common.ts'
import { alertMembers } from './crisis.ts'
import { delistingWorth } from './delisting-worth.ts'
import { BREADTH_VENUES, VENUES } from './venues.ts'

/** A trading pair on the board. `name` is the asset's name as the venue states it; null if the venue states none. */
export const pair = z.object({
  token_id: tokenId,
  exchange,
  symbol,
  base: z.string().min(1).max(32),
  quote: z.string().min(1).max(32),
  name: strangersText(200).nullable(),
})
export type Pair = z.output<typeof pair>

/** Most pairs in one call of `findPairs`. */
export const PAIRS_PER_CALL_MAX = 200

/** Most board rows in one answer to a caller without a key. */
export const OPEN_ROWS_MAX = 100

/** Most pairs in crisis in the answer of `listRiskBottom`. */
export const IN_CRISIS_MAX = 100

/** Most board rows in one answer. */
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

/** State of a token, from its listing to its delisting. */
export const lifecycle = z.enum(['new', 'active', 'watch', 'at_risk', 'halted', 'delisted'])
export type Lifecycle = z.output<typeof lifecycle>

/** Direction of the grade point average over a week. */
export const outlook = z.enum(['improving', 'stable', 'worsening'])
export type Outlook = z.output<typeof outlook>

/** An official warning of a venue about a pair, and what it means for the risk score. */
export const venueFlag = z
  .object({
    flag: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: "The venue's own name of the warning", example: 'caution.PRICE_FLUCTUATIONS' }),
    meaning: z
      .enum(['caution', 'warning', 'margin_delisting', 'delisting_announced', 'delisted_elsewhere'])
      .meta({ description: 'Class of the warning; each class sets a minimum risk score' }),
    since: instant.meta({ description: 'When the warning was first seen' }),
    effective_at: instant
      .nullable()
      .meta({ description: 'When the warning takes effect; null if the venue states no time' }),
    source: z.string().max(200).nullable().meta({
      description: 'Where it was read; null for warnings of before this was stored',
      example: 'kucoin /api/v3/announcements',
    }),
    published_at: instant
      .nullable()
      .meta({ description: 'When the venue published it; null if the venue states no time' }),
    lateness_seconds: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'From `published_at` to `since`; null if `published_at` is null' }),
  })
  .meta({ title: 'VenueFlag' })
export type VenueFlag = z.output<typeof venueFlag>

/** Components that are unknown, so that the grade point average is null. */
const missing = z.array(z.enum(['spread', 'depth', 'volume', 'stability'])).max(4)

/** Names of the asset of a pair, and which venue states them. */
const names = {
  name_from: exchange.nullable().meta({
    description:
      'Exchange that states `name`. Another than `exchange` if it states none and the asset is proven to be the same there',
  }),
  name_ko: strangersText(200).nullable().meta({ description: 'Korean name', example: '비트코인' }),
  name_ko_from: exchange.nullable().meta({ description: 'Exchange that states `name_ko`' }),
}

const boardRowMembers = {
  ...pair.shape,
  ...names,
  grade: letter.nullable().meta({ description: 'Letter of `gpa`; null if `gpa` is null' }),
  gpa: gpa.nullable().meta({ description: 'Grade point average, 0 to 4.3; null while a component is unknown' }),
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
    description:
      'True if more than a quarter of the order books ended before 2 % of the mid: the real depth may be larger',
  }),
  gpa_is_lower_bound: z.boolean().meta({
    description:
      'True if the depth is a lower bound and its letter is below A+: a deeper book could only raise `grade` and `gpa`',
  }),
  volume_24h_usd: number.min(0).nullable(),
  price: number.min(0).nullable().meta({ description: 'Last price in the quote currency' }),
  change_24h_pct: number.nullable(),
  lifecycle,
  outlook: outlook.nullable(),
  risk_score: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .meta({ description: 'Delisting risk as a rank among the peers, 100 is the riskiest; null with too few of them' }),
  flags: z.array(venueFlag).max(20),
  ...alertMembers,
  updated_at: instant
    .nullable()
    .meta({ description: 'Time of the newest observation in the row; null before the first' }),
}

/** One row of the board. */
export const boardRow = z.object(boardRowMembers).meta({ title: 'BoardRow' })
export type BoardRow = z.output<typeof boardRow>

const source = z
  .enum(['live', 'replay', 'mixed'])
  .meta({ title: 'MarketSource', description: '`replay`: recorded or synthetic markets, not the real exchanges' })

/** Members of every answer that is read from a snapshot of the board. */
export const snapshotMembers = {
  computed_at: instant.nullable(),
  stale: z.boolean().meta({ description: 'True if the snapshot is older than 15 minutes' }),
  pending: z.boolean().meta({
    title: 'Pending',
    description: 'True until the first snapshot exists; an empty list then does not mean that there are no tokens',
  }),
  source,
}

/** Whether a value is a lower bound: a depth whose order books ended before 2 % of the mid. */
export const is_lower_bound = z
  .boolean()
  .meta({ description: 'True if the value is a lower bound, because order books ended before 2 % of the mid' })

/** Length of the window behind a value. */
const window_minutes = z.int().min(0).max(1_440).nullable().meta({
  description:
    'Minutes that the value covers. Trades are read from one candle call, which covers less than a day at most exchanges. Null for a value without a window',
})

/** Use of an exchange's scan capacity. */
export const scanPlaces = {
  scan_capacity: z.int().min(0).nullable().meta({
    description: 'Pairs that the request limit of the exchange lets be scanned each minute; null if unknown',
  }),
  scan_pairs: z.int().min(0).meta({ description: 'Pairs that are scanned each minute, for all accounts' }),
} as const

/** One factor of a risk score. The points of all factors add up to the score. */
export const riskFactor = z.object({
  key: z.string().max(64),
  value: number.nullable(),
  is_lower_bound,
  window_minutes,
  percentile: number.min(0).max(100).nullable(),
  points: number.min(0).max(100),
})

/** Delisting risk of a pair as a rank among its peers, not a probability. */
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

const riskRow = boardRow.extend({ risk: risk.nullable() }).meta({ title: 'RiskRow' })

/** One component of a grade point average, with the value that it was graded from. */
export const component = z
  .object({
    key: z.enum(['spread', 'depth', 'volume', 'stability']),
    value: number.nullable(),
    is_lower_bound,
    window_minutes,
    unit: z.enum(['bps', 'usd', 'share']),
    grade: letter.nullable(),
    points: number.min(0).max(4.3).nullable(),
    weight: share,
    contribution: number.nullable().meta({ description: '`points` × `weight`' }),
    percentile: number
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Mid-rank among the peers, percent; 100 is the most liquid' }),
    n: z.int().min(0).meta({ description: 'Number of observations behind the value' }),
  })
  .meta({ title: 'GradeComponent' })

const lifecycleEvent = z.object({
  seq: z.int().min(1).meta({ description: 'Sequence number without gaps, per token' }),
  instance_id: z.int().min(1),
  from: lifecycle.nullable(),
  to: lifecycle,
  cause: z.string().max(64).meta({ example: 'absent_from_three_lists' }),
  evidence: z.record(z.string().max(64), z.unknown()),
  at: instant,
})

const percent = decimalText(1, 50).prefault(5).meta({ description: 'Share of the graded tokens to list, percent' })
/** Most rows of a page. */
export const rowLimit = queryInt(1, BOARD_ROWS_MAX, 100, 'Most rows in the answer; at most 100 without a key')
/** Rows before a page. */
export const rowOffset = queryInt(0, 1_000_000, 0, 'Rows to skip')
/** Text to search pairs by. */
export const search = z
  .string()
  .max(64)
  .meta({ description: 'Part of a symbol or of a name, also of the Korean one, in any case', example: 'btc' })

/** Refusals of the board. */
export const boardRefusals = {
  unknownExchange: refusal('unknown_exchange', {
    status: 404,
    title: 'Unknown exchange',
    meaning: 'The board has no pair of this exchange.',
    fix: "Use an exchange id exactly as GET /coverage returns it, for example 'binance'.",
  }),
  unknownToken: refusal('unknown_token', {
    status: 404,
    title: 'Unknown token',
    meaning: 'The board has no token with this id.',
    fix: 'Use a token_id as GET /board returns it: <exchange>_<base>_<quote> in lower case.',
  }),
} as const

/** Search, one pair, coverage, lowest grades, and the lookup of pairs for other services. */
export const boardOperations = {
  searchTokens: operation({
    summary: 'Search trading pairs of all exchanges by symbol or name',
    description:
      'Returns exact matches of symbol or base first, then matches at the beginning, then other matches; each group is ordered by 24-hour volume.',
    auth: 'open',
    input: z.strictObject({ q: search.min(1), limit: queryInt(1, 100, 20) }),
    success: {
      200: z.object({
        ...snapshotMembers,
        total: z.int().min(0),
        items: z
          .array(
            pair.extend({
              ...names,
              grade: letter.nullable(),
              gpa: gpa.nullable(),
              gpa_is_lower_bound: boardRowMembers.gpa_is_lower_bound,
              lifecycle,
              outlook: outlook.nullable(),
              risk_score: boardRowMembers.risk_score,
              ...alertMembers,
              volume_24h_usd: number.min(0).nullable(),
            }),
          )
          .max(100),
      }),
    },
    refusals: [common.invalidRequest],
    http: 'GET /tokens/search',
    tool: 'tokens_search',
    toolTitle: 'Search trading pairs',
    cacheSec: 5,
    sharedAnswer: true,
  }),
  explainToken: operation({
    summary: 'Explain how the grades and the risk score of one pair were computed',
    description:
      'Returns the board row with its components, its risk factors and the lifecycle changes of the token. `inputs_sha256` is the hash of the stored inputs of the snapshot.',
    auth: 'account',
    input: z.strictObject({ token_id: tokenId }),
    success: {
      200: z.object({
        ...snapshotMembers,
        formula_version: z.string().max(64).nullable(),
        inputs_sha256: z.string().max(64).nullable(),
        row: boardRow,
        instance_id: z.int().min(1),
        predecessor_instance_id: z.int().min(1).nullable().meta({
          description: 'Delisted token of another asset that had this symbol before, or null',
        }),
        missing,
        n_peers: z.int().min(0),
        components: z.array(component).max(4),
        risk: risk.nullable(),
        worth: delistingWorth.nullable().meta({
          description: 'What the rank of this pair was worth in the past; null without a rank',
        }),
        rank_memory: z
          .array(z.object({ days: z.int(), mean: number.nullable(), known: z.int().min(0) }))
          .max(3)
          .optional()
          .meta({
            description: 'Means of the daily rank, no part of the score; null with fewer than half of the days',
          }),
        lifecycle_events: z.array(lifecycleEvent).max(100),
      }),
    },
    refusals: [boardRefusals.unknownToken],
    http: 'GET /tokens/{token_id}',
    tool: 'token',
    toolTitle: 'Grades and risk of a pair',
    cacheSec: 5,
  }),
  readCoverage: operation({
    summary: 'Read which exchanges are covered, how many pairs each has, and how current the data is',
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
              pairs: z.int().min(0).meta({ description: 'Number of pairs that trade' }),
              graded: z.int().min(0),
              named: z.int().min(0).meta({ description: 'Number of pairs whose asset has a name' }),
              named_ko: z.int().min(0).meta({ description: 'The same with a Korean name' }),
              halted: z.int().min(0),
              delisted: z.int().min(0),
              listed_at: instant.nullable().meta({ description: 'When the last complete market list was read' }),
              observed_at: instant.nullable().meta({ description: 'When prices were last accepted' }),
              depth_share: share
                .nullable()
                .meta({ description: 'Share of the pairs with an order book from the last two hours' }),
              budget_closed_until: instant.nullable().meta({
                description:
                  'The exchange refused for its request limit and is not called before this time; null if it is called',
              }),
              ...scanPlaces,
              errors_1h: z.array(z.object({ class: z.string().max(32), count: z.int().min(0) })).max(20),
              announcements: z
                .object({
                  read_at: instant,
                  known_at: instant
                    .nullable()
                    .meta({ description: 'When an announcement whose title we can read was first seen last' }),
                  wording: z.enum(['known', 'nothing_read', 'no_known_title']).meta({
                    description:
                      'Whether the page still says what we can read: `nothing_read` after three days without an announcement on it, `no_known_title` after 120 days without a known title',
                  }),
                })
                .nullable()
                .meta({ description: 'Null if the exchange publishes none without a key, or none was read yet' }),
            }),
          )
          .max(200),
        regulated_lists: z
          .array(
            z.object({
              venue: z.string().max(32),
              read_at: instant.nullable().meta({ description: 'When its market list was last read' }),
              source: z.enum(['live', 'replay']).nullable(),
              assets: z.int().min(0).nullable(),
              counted: z.boolean().meta({ description: 'False if the list is missing or older than 3 days' }),
            }),
          )
          .max(32)
          .meta({ description: 'Lists of regulated exchanges behind the risk factor `regulated_venues`' }),
      }),
    },
    http: 'GET /coverage',
    tool: 'coverage',
    toolTitle: 'Covered exchanges',
    cacheSec: 5,
    sharedAnswer: true,
  }),
  listRiskBottom: operation({
    summary: 'List the pairs with the lowest grades, each with its risk score',
    description:
      'Returns the lowest `percent` of all graded pairs that trade, lowest grade first. Each has its risk score with the factors of the score. `worth` says how often pairs with such a score were delisted in the past. `in_crisis` lists pairs with an open crisis, whatever their grade.',
    auth: 'account',
    input: z.strictObject({ percent, exchange: exchange.optional(), limit: rowLimit, offset: rowOffset }),
    success: {
      200: z.object({
        ...snapshotMembers,
        formula_version: z.string().max(64).nullable(),
        percent: number,
        graded: z.int().min(0).meta({ description: 'Number of graded tokens, of which `percent` is taken' }),
        total: z.int().min(0).meta({ description: 'Number of tokens in the lowest `percent`' }),
        limit: z.int().min(1).max(BOARD_ROWS_MAX),
        offset: z.int().min(0),
        worth: delistingWorth.nullable().meta({
          description: 'What each band of the score was worth in the past; null if this model was not measured',
        }),
        tokens: z.array(riskRow).max(BOARD_ROWS_MAX),
        in_crisis: z
          .array(riskRow)
          .max(IN_CRISIS_MAX)
          .meta({ description: 'Pairs with an open crisis, whatever their grade; the most severe first' }),
      }),
    },
    refusals: [common.invalidRequest, boardRefusals.unknownExchange],
    http: 'GET /risk/bottom',
    csv: { list: 'tokens', head: ['computed_at', 'stale'] },
    tool: 'risk_bottom',
    toolTitle: 'Riskiest pairs',
    cacheSec: 5,
  }),
  findPairs: operation({
    summary: 'Look up trading pairs by exchange and symbol for another service',
    description: 'Returns one entry per requested pair, in the same order; null if the pair is not on the board.',
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

/** Jobs that read the venues and compute the board. */
export const boardJobs = {
  listMarkets: job({
    summary: 'Read the market lists and official flags of the venues',
    shared: true,
    everyMs: 15_000,
    max: 10,
    budgetSec: 60,
  }),
  readAnnouncements: job({
    summary: 'Read the announcements of the venues each minute',
    shared: true,
    everyMs: 60_000,
    wokenBy: ['listMarkets'],
    max: 2_000,
    budgetSec: 40,
  }),
  observeMarkets: job({
    summary: 'Read the prices of every pair each minute',
    shared: true,
    everyMs: 5_000,
    wokenBy: ['listMarkets'],
    max: 10,
    budgetSec: 30,
  }),
  rotateBooks: job({
    summary: 'Read the order book of every pair within 5 minutes',
    shared: true,
    everyMs: 60_000,
    wokenBy: ['listMarkets'],
    max: 2_000,
    budgetSec: 30,
  }),
  deepenBooks: job({
    summary: 'Read deeper order books of pairs whose book ends within 2 % of the price',
    shared: true,
    everyMs: 60_000,
    wokenBy: ['rotateBooks'],
    max: 200,
    budgetSec: 60,
  }),
  readCandles: job({
    summary: 'Read the candles of every pair within an hour',
    shared: true,
    everyMs: 60_000,
    wokenBy: ['observeMarkets'],
    max: 50,
    budgetSec: 60,
  }),
  listRegulated: job({
    summary: 'Read the market lists of the regulated exchanges once a day',
    everyMs: 60_000,
    max: 10,
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
    summary: 'Delete observations and snapshots that nothing reads any more',
    everyMs: 60_000,
    max: 5_000,
    budgetSec: 30,
  }),
} as const

const venueList = (ids: readonly string[]) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    )
    .pipe(z.array(z.enum(ids)).max(ids.length))

const baseUrl = (venue: string) =>
  setting({
    env: `MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`,
    schema: z.url({ protocol: /^https?$/ }),
    default: null,
    doc: `Base URL that is called instead of ${venue}. Must be a loopback address unless MARKET_VENUE_BASE_URL_ALLOW_REMOTE is 1.`,
  })

export const boardSettings = {
  venues: setting({
    env: 'MARKET_VENUES',
    schema: venueList(VENUES),
    default: '',
    doc: `Exchanges to read, separated by commas, from: ${VENUES.join(', ')}. Empty reads none.`,
  }),
  breadthVenues: setting({
    env: 'MARKET_BREADTH_VENUES',
    schema: venueList(BREADTH_VENUES),
    default: '',
    doc: `Regulated exchanges whose market lists are read once a day, separated by commas, from: ${BREADTH_VENUES.join(', ')}. Empty reads none; breadth is then unknown.`,
  }),
  redisUrl: setting({
    env: 'SVC_REDIS_URL',
    schema: z.string().startsWith('redis'),
    default: 'redis://127.0.0.1:6379',
    secret: true,
    doc: 'Redis for the request budgets, which all processes behind one outgoing address share.',
  }),
  outgoingAddress: setting({
    env: 'MARKET_OUTGOING_ADDRESS',
    schema: z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/),
    default: 'default',
    doc: 'Name of the outgoing address under which exchanges see this process. Processes with the same name share request budgets.',
  }),
  venueTimeoutMs: setting({
    env: 'MARKET_VENUE_TIMEOUT_MS',
    schema: z.coerce.number().int().min(100).max(60_000),
    default: '10000',
    doc: 'Timeout of a call to an exchange, milliseconds.',
  }),
  allowRemoteBaseUrl: setting({
    env: 'MARKET_VENUE_BASE_URL_ALLOW_REMOTE',
    schema: switchWord,
    default: '0',
    doc: '1 allows MARKET_VENUE_BASE_URL_* to be addresses of other machines.',
  }),
  localBudgetFactor: setting({
    env: 'MARKET_LOCAL_BUDGET_FACTOR',
    schema: z.coerce.number().min(1).max(10_000),
    default: '1',
    doc: 'Factor for the request budgets of exchanges on this machine, whose clock may be faster than real time.',
  }),
  ...(Object.fromEntries([...VENUES, ...BREADTH_VENUES].map((venue) => [`baseUrl_${venue}`, baseUrl(venue)])) as Record<
    never,
    ReturnType<typeof baseUrl>
  >),
} as const
