import { exact, usdcUp } from '@svc/hyperliquid/rounding'

/**
 * Returns by how much an order may open more at the mark price than at its worst price, USDC: a sale is judged by a price below
 * the mark, and its position counts at the mark once it is open.
 */
export function aboveWorst({ size, worstPrice }: { readonly size: string; readonly worstPrice: string }, mark: string) {
  const above = exact(mark).minus(worstPrice)
  return usdcUp(above.gt(0) ? above.times(size) : exact(0))
}
