import { exact } from '@svc/hyperliquid/rounding'
import type { Side } from '@svc/hyperliquid/rounding'
import { centreOf, worstOf, type Prices } from '@svc/venue/rules/band'

/** A position of an account at the venue; `size` is decimal text, negative for a short. */
export interface Held {
  readonly coin: string
  readonly size: string
}

/** Prices of a market and the grid of its sizes. */
export interface Quote extends Prices {
  readonly sizeDecimals: number
}

/** An order that ends a position: reduce-only, immediate or cancel. */
export interface Close {
  readonly coin: string
  readonly side: Side
  readonly size: string
  /** Worst price that it may fill at. */
  readonly price: string
}

/** What a run sends, and the positions for which no price is known. */
export interface ClosePlan {
  readonly closes: readonly Close[]
  readonly unpriced: readonly string[]
}

/**
 * Plans an order for every position, each of the full size. `band` is the accepted distance from the price, as a
 * fraction: from the middle of the book if it agrees with the mark price within the band, else from the mark price. A
 * book with an empty side, or one that somebody pushed away, does not hold up a close.
 */
export function planCloses(
  positions: readonly Held[],
  quoteOf: (coin: string) => Quote | null,
  band: string,
): ClosePlan {
  const closes: Close[] = []
  const unpriced: string[] = []
  for (const { coin, size } of positions) {
    const held = exact(size)
    if (held.isZero()) continue
    const side = held.isNegative() ? 'buy' : 'sell'
    const quote = quoteOf(coin)
    const price = quote === null ? null : worstOf(centreOf(quote, band), side, band, quote.sizeDecimals)
    if (price === null) unpriced.push(coin)
    else closes.push({ coin, side, size: held.abs().toFixed(), price })
  }
  return { closes, unpriced }
}
