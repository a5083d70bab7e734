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

/** Returns the value of a side within the band around the mid, in quote; `truncated` if its levels end inside the band. */
export function depthOf(
  side: Side,
  mid: number,
  levelsAsked: number,
  band: number,
): { quote: number; truncated: boolean } {
  let quote = 0
  for (const [price, amount] of side) {
    if (Math.abs(price - mid) > mid * band) return { quote, truncated: false }
    quote += price * amount
  }
  return { quote, truncated: side.length >= levelsAsked }
}

/** Returns spread and depth of a book. A one-sided book has the largest spread and depth 0. */
export function measureBook(book: Book): { spreadBps: number; depthQuote: number; truncated: boolean } {
  const mid = midOf(book)
  const [bid] = book.bids
  const [ask] = book.asks
  if (mid === null || bid === undefined || ask === undefined)
    return { spreadBps: SPREAD_BPS_MAX, depthQuote: 0, truncated: false }
  const sides = [book.bids, book.asks].map((side) => depthOf(side, mid, book.limit, BAND))
  return {
    spreadBps: spreadBps(bid[0], ask[0]),
    depthQuote: 2 * Math.min(...sides.map((side) => side.quote)),
    truncated: sides.some((side) => side.truncated),
  }
}
