import type { Book, Side } from '#venues/rules/venue.ts'

/** Widest spread that two positive prices can have, in bps of their mid; what a one-sided book counts as. */
export const SPREAD_BPS_MAX = 20_000

/** Half width of the band in which depth is counted, as a fraction of the mid. */
const BAND = 0.02

/** Middle of the best prices; null for a one-sided or empty book. */
export function midOf({ bids: [bid], asks: [ask] }: Pick<Book, 'bids' | 'asks'>): number | null {
  return bid === undefined || ask === undefined ? null : (bid[0] + ask[0]) / 2
}

/** Distance of two best prices in bps of their mid. */
export const spreadBps = (bid: number, ask: number): number => ((ask - bid) / ((bid + ask) / 2)) * 10_000

/** Whether the best bid is at or above the best ask: such a book is no market and is not measured. */
export function isCrossed({ bids: [bid], asks: [ask] }: Pick<Book, 'bids' | 'asks'>): boolean {
  return bid !== undefined && ask !== undefined && bid[0] >= ask[0]
}

/** What a side is worth between the mid and the edge of the band, in quote; `truncated` when its levels end inside. */
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

/** Spread and depth of a book. A one-sided book has the widest spread and no depth. */
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
