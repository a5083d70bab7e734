import { referencePrice, usdcText } from '@svc/limits'
import { exact, roundSize } from '@svc/hyperliquid/rounding'
import type { FollowOrder } from './decide-signal.ts'

/** What the quantity of an order follows from. */
export interface Sizing {
  /** Price of the market now, decimal text. */
  readonly mark: string
  /** How much worse than the mark the order may be filled, as a fraction. */
  readonly band: string
  /** Decimals of a size in the market; null: sizes are not rounded. */
  readonly sizeDecimals: number | null
  /** Largest open that passes now, in base units; null: unknown. */
  readonly openMax: bigint | null
}

/** A quantity, decimal text. Exactly one of the two is not null. */
export type Quantity =
  | { readonly size: string; readonly amountUsdc: null }
  | { readonly size: null; readonly amountUsdc: string }

/** Returns the reference price of an open as far as the mark says it, decimal text: nothing of the book is known. */
export function referenceOf(side: 'buy' | 'sell', mark: string, band: string): string {
  const worst = exact(side === 'buy' ? 1 : -1)
    .times(band)
    .plus(1)
    .times(mark)
  return referencePrice(side, worst.toFixed(), { mark, bid: null, ask: null })
}

/**
 * Returns the quantity that brings a position to its target within one lot: the size of the amount at the mark. An amount buys less,
 * because it pays at the worst price. An open of which the worst price is above what passes is sent by the amount that passes.
 */
export function quantityOf(order: FollowOrder, { mark, band, sizeDecimals, openMax }: Sizing): Quantity {
  if (order.size !== null) return { size: order.size, amountUsdc: null }
  const amount = order.amountUsdc ?? '0'
  const wanted = exact(amount).div(mark)
  const size = sizeDecimals === null ? wanted.toFixed() : roundSize(wanted, sizeDecimals)
  if (exact(size).isZero()) return { size: null, amountUsdc: amount }
  if (order.reduceOnly || openMax === null) return { size, amountUsdc: null }
  const passing = usdcText(openMax)
  // A sell may be judged above the mark as well.
  if (
    exact(size)
      .times(referenceOf('buy', mark, band))
      .lte(passing)
  )
    return { size, amountUsdc: null }
  return { size: null, amountUsdc: order.side === 'buy' ? passing : amount }
}
