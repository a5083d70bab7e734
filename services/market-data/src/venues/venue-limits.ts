import type { Venue } from '@svc/contracts/market-data/board'

/** Request limit of a venue per address, and the cost of its calls, in the venue's units. */
export interface VenueLimits {
  readonly units: number
  readonly windowMs: number
  /** Levels per side of a book call. */
  readonly bookLevels: number
  readonly booksPerCall: number
  /** Most candles of one call. */
  readonly candles: number
  /** Whether minutes without a trade have a candle. */
  readonly fillsGaps: boolean
  /** Whether the venue publishes wallet states without a key. */
  readonly walletsPublic?: true
  readonly cost: {
    readonly markets: number
    readonly quotes: number
    readonly book: number
    readonly trades: number
    readonly candles: number
    readonly flags: number
  }
}

const plain = { markets: 1, quotes: 1, book: 1, trades: 1, candles: 1, flags: 1 }

/** Four fifths of the published limits; the rest covers the units that may be used at once (`request-budget.ts`). */
export const venueLimits: Record<Venue, VenueLimits> = {
  binance: {
    units: 4_800,
    windowMs: 60_000,
    bookLevels: 100,
    booksPerCall: 1,
    candles: 1_000,
    fillsGaps: true,
    cost: { markets: 20, quotes: 84, book: 5, trades: 25, candles: 2, flags: 1 },
  },
  gate: {
    units: 160,
    windowMs: 10_000,
    bookLevels: 100,
    booksPerCall: 1,
    candles: 999,
    fillsGaps: true,
    walletsPublic: true,
    cost: { ...plain, markets: 2 },
  },
  kucoin: {
    units: 3_200,
    windowMs: 30_000,
    bookLevels: 100,
    booksPerCall: 1,
    candles: 1_440,
    fillsGaps: false,
    walletsPublic: true,
    cost: { markets: 4, quotes: 15, book: 4, trades: 3, candles: 3, flags: 4 },
  },
  upbit: { units: 8, windowMs: 1_000, bookLevels: 30, booksPerCall: 80, candles: 200, fillsGaps: false, cost: plain },
  mexc: {
    units: 400,
    windowMs: 10_000,
    bookLevels: 100,
    booksPerCall: 1,
    candles: 500,
    fillsGaps: true,
    cost: { markets: 10, quotes: 80, book: 3, trades: 5, candles: 1, flags: 1 },
  },
  bithumb: {
    units: 96,
    windowMs: 1_000,
    bookLevels: 30,
    booksPerCall: 80,
    candles: 200,
    fillsGaps: false,
    cost: plain,
  },
  bybit: {
    units: 80,
    windowMs: 10_000,
    bookLevels: 200,
    booksPerCall: 1,
    candles: 1_000,
    fillsGaps: true,
    cost: plain,
  },
  okx: { units: 32, windowMs: 2_000, bookLevels: 100, booksPerCall: 1, candles: 300, fillsGaps: true, cost: plain },
  bitget: {
    units: 16,
    windowMs: 1_000,
    bookLevels: 150,
    booksPerCall: 1,
    candles: 1_000,
    fillsGaps: true,
    cost: plain,
  },
  htx: { units: 8, windowMs: 1_000, bookLevels: 20, booksPerCall: 1, candles: 1_440, fillsGaps: true, cost: plain },
}
