import { exact, type Side, worstPrice } from '@svc/hyperliquid/rounding'

/** Prices of a market as the venue gave them; decimal text. A side of the book without an offer is null. */
export interface Prices {
  readonly mark: string
  readonly bid: string | null
  readonly ask: string | null
}

/** The price that an order's band is laid around. */
export interface Centre {
  readonly price: string
  readonly source: 'mid' | 'mark'
  /** Middle of the book; null if a side is empty. */
  readonly mid: string | null
}

/** Returns the middle of the book; null if a side is empty. */
export const midOf = ({ bid, ask }: Prices): string | null =>
  bid === null || ask === null ? null : exact(bid).plus(ask).div(2).toFixed()

/**
 * Returns the price that the band is laid around: the middle of the book if it lies within `band` of the mark price,
 * otherwise the mark price, which no single order moves.
 */
export function centreOf(prices: Prices, band: string): Centre {
  const mid = midOf(prices)
  const agrees = mid !== null && exact(mid).minus(prices.mark).abs().lte(exact(prices.mark).times(band))
  return mid !== null && agrees ? { price: mid, source: 'mid', mid } : { price: prices.mark, source: 'mark', mid }
}

/** Returns the worst price that an order may fill at, on the venue's grid; null if the grid has none. */
export const worstOf = (centre: Centre, side: Side, band: string, sizeDecimals: number): string | null =>
  worstPrice(centre.price, side, band, sizeDecimals)

/** Returns the narrower of the deployment's band and the one that the caller asked for. */
export const bandOf = (configured: string, asked: string | null): string =>
  asked !== null && exact(asked).lt(configured) ? asked : configured
