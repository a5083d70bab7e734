import type { Book, Side } from '#venues/rules/venue.ts'

/** Largest spread of two positive prices, in bps of their mid. A one-sided book counts as this. */
export const SPREAD_BPS_MAX = 20_000

/** Half widths of the bands in which depth is counted, as fractions of the mid, ascending. */
const BANDS = [0.001, 0.005, 0.01, 0.02] as const
/** The band of every depth that is named without one. */
const BAND = BANDS[3]

/** Returns the mid of the best prices; null for a one-sided or empty book. */
export function midOf({ bids: [bid], asks: [ask] }: Pick<Book, 'bids' | 'asks'>): number | null {
  return bid === undefined || ask === undefined ? null : (bid[0] + ask[0]) / 2
}

/** Returns the distance of two prices in bps of their mid. */
export const spreadBps = (bid: number, ask: number): number => ((ask - bid) / ((bid + ask) / 2)) * 10_000

/** Returns whether the best bid is at or above the best ask. Crossed books are not measured. */
export function isCrossed({ bids: [bid], asks: [ask] }: Pick<Book, 'bids' | 'asks'>): boolean {
  return bid !== undefined && ask !== undefined && bid[0] >= ask[0]
}

/** Levels within a distance from the mid grow with this power of it in books of liquid pairs (`packages/replay-exchange`). */
const SPREADING = 0.75
/** The least reach of a truncated side, as a share of the band: a bound for the estimate. */
const REACH_MIN = 0.005

/** What rests on both sides of a book within one band, in quote. */
export interface BandDepth {
  readonly bid: number
  readonly ask: number
  /** Whether the levels of a side end inside the band, so that the depth is a lower bound. */
  readonly isLowerBound: boolean
}

/** Depth of a book within 0.1, 0.5, 1 and 2 % of the mid. This is the only measure of depth: board, scans and crisis rules use it. */
export type BandDepths = readonly [BandDepth, BandDepth, BandDepth, BandDepth]

/** Returns what can be bought or sold within a band, in its unit: twice the weaker side. */
export const depthOf = ({ bid, ask }: Pick<BandDepth, 'bid' | 'ask'>): number => 2 * Math.min(bid, ask)

interface SideDepth {
  readonly quote: readonly number[]
  /** Bands that the levels cover, from the narrowest. */
  readonly covered: number
  /** Levels within 2 % of the mid; of a truncated side an estimate. */
  readonly levels: number
}

function sideDepth(side: Side, mid: number, levelsAsked: number): SideDepth {
  const quote = [0, 0, 0, 0]
  let band = 0
  let sum = 0
  let levels = 0
  for (const [price, amount] of side) {
    const distance = Math.abs(price - mid)
    while (distance > mid * (BANDS[band] ?? Infinity)) {
      quote[band] = sum
      band += 1
    }
    if (band === BANDS.length) return { quote, covered: band, levels }
    sum += price * amount
    levels += 1
  }
  quote.fill(sum, band)
  if (levels < levelsAsked) return { quote, covered: BANDS.length, levels }
  const reach = Math.max(REACH_MIN, Math.abs((side.at(-1)?.[0] ?? mid) / mid - 1) / BAND)
  return { quote, covered: band, levels: Math.ceil(levels / reach ** SPREADING) }
}

/** Spread and depth of a book. */
export interface BookMeasure {
  readonly spreadBps: number
  /** Null for a one-sided book. */
  readonly bands: BandDepths | null
  /** Twice the weaker side within 2 % of the mid, in quote. */
  readonly depthQuote: number
  /** Whether `depthQuote` is a lower bound. */
  readonly truncated: boolean
  /** Levels of the longer side within 2 % of the mid; of a truncated book an estimate. */
  readonly levels: number
}

/** Returns spread and depth of a book. A one-sided book has the largest spread and depth 0. */
export function measureBook(book: Book): BookMeasure {
  const mid = midOf(book)
  const [bid] = book.bids
  const [ask] = book.asks
  if (mid === null || bid === undefined || ask === undefined)
    return { spreadBps: SPREAD_BPS_MAX, bands: null, depthQuote: 0, truncated: false, levels: 0 }
  const [bids, asks] = [sideDepth(book.bids, mid, book.limit), sideDepth(book.asks, mid, book.limit)]
  const covered = Math.min(bids.covered, asks.covered)
  const bandAt = (place: number): BandDepth => ({
    bid: bids.quote[place] ?? 0,
    ask: asks.quote[place] ?? 0,
    isLowerBound: place >= covered,
  })
  const bands: BandDepths = [bandAt(0), bandAt(1), bandAt(2), bandAt(3)]
  return {
    spreadBps: spreadBps(bid[0], ask[0]),
    bands,
    depthQuote: depthOf(bands[3]),
    truncated: bands[3].isLowerBound,
    levels: Math.max(bids.levels, asks.levels),
  }
}
