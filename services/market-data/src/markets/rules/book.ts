import type { Book, Side } from '#venues/rules/venue.ts'

/** Largest spread of two positive prices, in bps of their mid. A one-sided book counts as this. */
export const SPREAD_BPS_MAX = 20_000

/** Half width of the band in which depth is counted, as a fraction of the mid. */
const BAND = 0.02

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

/** A side of a book within a band around the mid. */
interface SideDepth {
  readonly quote: number
  /** Whether the levels end inside the band, so that `quote` is a lower bound. */
  readonly truncated: boolean
  /** Levels inside the band; of a truncated side an estimate. */
  readonly levels: number
}

/** Levels within a distance from the mid grow with this power of it in books of liquid pairs (`packages/replay-exchange`). */
const SPREADING = 0.75
/** The least reach of a truncated side, as a share of the band: a bound for the estimate. */
const REACH_MIN = 0.005

/** Returns what rests on a side within the band around the mid, in quote. */
export function depthOf(side: Side, mid: number, levelsAsked: number, band: number): SideDepth {
  let quote = 0
  let levels = 0
  for (const [price, amount] of side) {
    if (Math.abs(price - mid) > mid * band) return { quote, truncated: false, levels }
    quote += price * amount
    levels += 1
  }
  if (levels < levelsAsked) return { quote, truncated: false, levels }
  const reach = Math.max(REACH_MIN, Math.abs((side.at(-1)?.[0] ?? mid) / mid - 1) / band)
  return { quote, truncated: true, levels: Math.ceil(levels / reach ** SPREADING) }
}

/** What rests on both sides of a book within the three bands, in quote. */
export interface BandDepths {
  readonly bid05: number
  readonly ask05: number
  readonly bid1: number
  readonly ask1: number
  readonly bid2: number
  readonly ask2: number
}

/** Spread and depth of a book. */
export interface BookMeasure {
  readonly spreadBps: number
  /** Twice the weaker side within 2 % of the mid, in quote. */
  readonly depthQuote: number
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
    return { spreadBps: SPREAD_BPS_MAX, depthQuote: 0, truncated: false, levels: 0 }
  const sides = [book.bids, book.asks].map((side) => depthOf(side, mid, book.limit, BAND))
  return {
    spreadBps: spreadBps(bid[0], ask[0]),
    depthQuote: 2 * Math.min(...sides.map((side) => side.quote)),
    truncated: sides.some((side) => side.truncated),
    levels: Math.max(...sides.map((side) => side.levels)),
  }
}

/** Returns what rests within 0.5 %, 1 % and 2 % of the mid; null for a one-sided book. */
export function bandsOf(book: Book): BandDepths | null {
  const mid = midOf(book)
  if (mid === null) return null
  const within = (side: Side, band: number) => depthOf(side, mid, book.limit, band).quote
  return {
    bid05: within(book.bids, 0.005),
    ask05: within(book.asks, 0.005),
    bid1: within(book.bids, 0.01),
    ask1: within(book.asks, 0.01),
    bid2: within(book.bids, BAND),
    ask2: within(book.asks, BAND),
  }
}
