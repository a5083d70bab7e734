import type { Side } from '@svc/hyperliquid/rounding'
import { notionalAt, referencePrice } from '@svc/limits'
import type { Prices } from '@svc/venue/rules/band'

/** An order whose size and worst price are fixed; decimal text. */
interface Sized {
  readonly side: Side
  readonly size: string
  readonly worstPrice: string
}

/** Returns at which price an order counts by a reading, and what it counts in USDC. */
export function countedNow({ side, size, worstPrice }: Sized, prices: Prices) {
  const price = referencePrice(side, worstPrice, prices)
  return { referencePrice: price, notionalUsdc: notionalAt(size, price) }
}
