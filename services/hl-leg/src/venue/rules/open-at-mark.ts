import { exact, usdcUp } from '@svc/hyperliquid/rounding'

/** An order as far as it opens a position; decimal text. */
interface Opening {
  readonly opening: boolean
  readonly size: string
  readonly worstPrice: string
}

/**
 * Returns open notional with what an order opens at the mark price above its notional at the worst price, USDC: a sale is judged
 * by a price below the mark, and its position counts at the mark once it is open. A close opens nothing.
 */
export function openAtMark(openUsdc: string, { opening, size, worstPrice }: Opening, mark: string): string {
  const above = exact(mark).minus(worstPrice)
  if (!opening || !above.gt(0)) return openUsdc
  return exact(openUsdc)
    .plus(usdcUp(above.times(size)))
    .toFixed()
}

/** The fix of `over_open_notional`. */
export const LESS_OPEN =
  'Close positions first, or ask for less: open notional of the account is above its limit with this order, counted at the mark price or at its worst price, whichever is higher.'
