import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, instant, okTrue, queryInt } from '../common.ts'
import { usdcUnits } from '../common/usdc.ts'
import { legMarketId, venueDecimal } from '../hl-leg/venue.ts'
import { label } from '../label.ts'
import { signedUsdc, usdc } from '../mandates/fields.ts'

/** Most paper books of an owner. */
export const PAPER_BOOKS_MAX = 10
const START_MIN = '100'
const START_MAX = '1000000'

/** Id of a paper book. */
export const paperBookId = z
  .string()
  .max(36)
  .regex(/^pbk_[0-9a-f]{32}$/, 'use the book exactly as GET /hub/own/paper/books returns it')
  .meta({ title: 'PaperBookId', description: 'Id of the paper book', example: 'pbk_0123456789abcdef0123456789abcdef' })

const bookName = label(60).meta({ description: 'Your name of the book', example: 'Momentum on BTC' })

const startUsdc = usdc
  .refine(
    (text) => !usdc.safeParse(text).success || usdcUnits(text) >= usdcUnits(START_MIN),
    `must be at least ${START_MIN} USDC`,
  )
  .refine(
    (text) => !usdc.safeParse(text).success || usdcUnits(text) <= usdcUnits(START_MAX),
    `must be at most ${START_MAX} USDC`,
  )
  .meta({ description: `Paper money that the book begins with, ${START_MIN} to ${START_MAX}`, example: '10000' })

export const paperBookUnknown = refusal('paper_book_unknown', {
  status: 404,
  title: 'Unknown paper book',
  meaning: 'You have no paper book of this id, or none at all.',
  fix: 'Use a book of GET /hub/own/paper/books, or create one with POST /hub/own/paper/books.',
})
export const paperBooksFull = refusal('paper_books_full', {
  status: 409,
  title: 'Too many paper books',
  meaning: `An owner has at most ${PAPER_BOOKS_MAX} paper books.`,
  fix: 'Go on with a book of GET /hub/own/paper/books.',
})
/** The order only reduces a position, and the book has none on the other side. */
export const nothingToClose = refusal('nothing_to_close', {
  status: 409,
  title: 'Nothing to close',
  meaning: 'The order only reduces a position, and there is none on the other side in this market.',
  fix: 'Read the positions first; sell a long position, buy a short one.',
})

/** Why a paper order is not carried out, as the venue would refuse it. */
export const paperReasons = [
  'unknown_market',
  'market_delisted',
  'session_closed',
  'invalid_size',
  'minimum_value',
  'insufficient_margin',
  'no_price',
] as const
export type PaperReason = (typeof paperReasons)[number]
/** A paper order that the venue would not accept. */
export const paperRejected = refusal('paper_rejected', {
  status: 409,
  title: 'Paper order rejected',
  meaning: 'The venue would not accept the order; reason says why. Nothing was filled.',
  fix: 'Correct what reason names: ask for at least 10 USDC, a size on the lot of the market, less than the free margin, or a market that is listed and open.',
  details: z.object({
    reason: z.enum(paperReasons),
    limit: z.string().max(60).nullable(),
    attempted: z.string().max(60).nullable(),
  }),
})

const bookSummary = z
  .object({
    book: paperBookId,
    name: z.string().max(60),
    start_usdc: usdc,
    cash_usdc: signedUsdc.meta({
      description: 'start_usdc, less what was bought, plus what was sold, less fees, plus funding and covered_usdc',
    }),
    equity_usdc: signedUsdc.meta({ description: 'cash_usdc plus size × mark price of each position' }),
    fees_paid_usdc: usdc,
    funding_usdc: signedUsdc.meta({ description: 'Received, less paid' }),
    max_drawdown_bps: z.int().min(0).max(10_000).meta({
      description: 'Greatest fall of the equity from its peak before, at each fill and each minute with a position',
    }),
    marked_at: instant.meta({ description: 'Time of the oldest mark price in equity_usdc' }),
    created_at: instant,
  })
  .meta({ title: 'PaperBook' })
export type PaperBookView = z.output<typeof bookSummary>

/** A position of a paper book. */
export const paperPosition = z
  .object({
    market: legMarketId,
    side: z.enum(['long', 'short']),
    size: venueDecimal,
    entry_price: venueDecimal,
    mark_price: venueDecimal,
    notional_usdc: usdc,
    unrealized_pnl_usdc: signedUsdc,
    liquidation_price: venueDecimal.nullable().meta({
      description: 'Mark price at which the book is liquidated if no other price moves; null without one',
    }),
    marked_at: instant,
  })
  .meta({ title: 'PaperPosition' })
export type PaperPositionView = z.output<typeof paperPosition>

const seq = z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({
  description: 'Place among all entries of the book; fills, funding and equity_series share one count',
})
const paperFill = z
  .object({
    seq,
    kind: z.enum(['order', 'liquidation']),
    order_id: z.string().max(80).nullable().meta({ description: 'null: the book was liquidated' }),
    agent_id: accountId.nullable().meta({ description: 'Agent that ordered; null for the owner' }),
    market: legMarketId,
    side: z.enum(['buy', 'sell']),
    size: venueDecimal,
    average_price: venueDecimal,
    notional_usdc: usdc,
    fee_usdc: usdc,
    closed_pnl_usdc: signedUsdc.meta({ description: 'Profit of what was closed, before fees' }),
    covered_usdc: usdc.meta({ description: 'Loss of a liquidation beyond the money of the book, which nobody pays' }),
    filled_at: instant,
  })
  .meta({ title: 'PaperFill' })
export type PaperFillView = z.output<typeof paperFill>

const paperFunding = z
  .object({
    seq,
    market: legMarketId,
    hour: instant,
    size: venueDecimal.meta({ description: 'Signed size that was held at the hour' }),
    oracle_price: venueDecimal,
    rate: venueDecimal.meta({ description: "The venue's published rate of the hour" }),
    usdc: signedUsdc.meta({ description: '− size × oracle_price × rate: negative is paid' }),
    paid_at: instant,
  })
  .meta({ title: 'PaperFunding' })
export type PaperFundingView = z.output<typeof paperFunding>

const paperEquity = z
  .object({
    seq,
    at: instant,
    cause: z.enum(['start', 'fill', 'hour', 'liquidation']),
    equity_usdc: signedUsdc,
    marks: z
      .record(z.string().max(64), venueDecimal)
      .meta({ description: 'Mark prices of the positions, by market_id' }),
  })
  .meta({ title: 'PaperEquity' })
export type PaperEquityView = z.output<typeof paperEquity>

/** Entries of a page, and positions of a book. */
const ENTRIES_MAX = 1_000
const POSITIONS_MAX = 2_000

const exampleBody = { name: 'Momentum on BTC', start_usdc: '10000' }

/** Paper books of an owner: orders filled from the venue's real book, without money. */
export const bookOperations = {
  createPaperBook: operation({
    summary: 'Create a paper book, in which orders fill from the real book of the venue without money',
    description:
      `An owner has at most ${PAPER_BOOKS_MAX}. All positions share the money of the book (cross margin) at the highest leverage that each market allows. ` +
      'Taker fee, published hourly funding and liquidation are those of the venue. A paper book is never mixed with live orders.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/own/paper/books',
    idempotent: true,
    input: z.strictObject({ name: bookName, start_usdc: startUsdc }).meta({ example: exampleBody }),
    success: { 201: z.object({ ok: okTrue }).extend(bookSummary.shape) },
    refusals: [paperBooksFull],
  }),
  listPaperBooks: operation({
    summary: 'List your paper books, oldest first',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/own/paper/books',
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(bookSummary).max(PAPER_BOOKS_MAX) }) },
  }),
  readPaperBook: operation({
    summary: 'Read a paper book: its equity, positions, fills, funding and equity series',
    description:
      'fills, funding and equity_series are the newest entries first, limit of them together; next_cursor goes back. ' +
      'The equity series has an entry at each fill, and each hour while a position is open; hourly entries are kept for 400 days, all others for ever. ' +
      'Below half of the initial margin the book is liquidated: each position closes at the book of the venue, what the book cannot hold at its last price, and without a book at the mark price.',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/own/paper/books/{book}',
    input: z.strictObject({
      book: paperBookId,
      limit: queryInt(1, ENTRIES_MAX, 200),
      cursor: cursor.optional(),
    }),
    success: {
      200: bookSummary.extend({
        positions: z.array(paperPosition).max(POSITIONS_MAX),
        fills: z.array(paperFill).max(ENTRIES_MAX),
        funding: z.array(paperFunding).max(ENTRIES_MAX),
        equity_series: z.array(paperEquity).max(ENTRIES_MAX),
        next_cursor: cursor.nullable(),
      }),
    },
    refusals: [common.invalidRequest, paperBookUnknown],
  }),
} as const

/** Jobs on paper books. */
export const bookJobs = {
  markBooks: job({
    summary: 'Value paper books with positions at the mark prices of the venue, and liquidate those below their margin',
    everyMs: 60_000,
    max: 100_000,
    budgetSec: 50,
  }),
  fundBooks: job({
    summary: 'Pay the funding that the venue published for an hour, to or from each position of a paper book',
    everyMs: 60_000,
    max: 100_000,
    budgetSec: 50,
  }),
} as const
