import { Exact, exact, roundSize, usdcUp } from '@svc/hyperliquid/rounding'

/** One price of a book with the size that is offered there; decimal text. */
export interface BookLevel {
  readonly price: string
  readonly size: string
}

/** Both sides of a book, best price first. */
export interface Book {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

/** How much is traded: a size of the asset, or the USDC that it may cost at most before fees. */
export type Quantity = { readonly size: string } | { readonly amountUsdc: string }

/** What an order at the market would do to a book now. Amounts are decimal text; `null` where nothing filled. */
export interface Walk {
  readonly filledSize: string
  readonly averagePrice: string | null
  /** Price of the last level that was reached. */
  readonly worstPrice: string | null
  readonly notionalUsdc: string
  readonly feeUsdc: string
  /** What the book within the limit price could not fill; of an amount, the USDC that are left. */
  readonly unfilled: string
}

interface Order {
  readonly side: 'buy' | 'sell'
  readonly quantity: Quantity
  /** Levels beyond this price are not reached; without it the whole side is. */
  readonly limitPrice?: string
  /** Share of the notional, such as `0.00045`. */
  readonly takerFee: string
  /** Decimals of a lot; a fill of an amount is cut to whole lots. */
  readonly sizeDecimals: number
}

/**
 * Walks an order through a book, level by level from the best price, and says what it fills and costs. The fee is
 * rounded up to a micro-dollar. The book stays as it is. Levels must be ordered; a level without size is passed over.
 */
export function walkBook(book: Book, order: Order): Walk {
  const { side, quantity, limitPrice, takerFee, sizeDecimals } = order
  const byAmount = 'amountUsdc' in quantity
  let left = exact(byAmount ? quantity.amountUsdc : quantity.size)
  let filled = exact(0)
  let notional = exact(0)
  let worst: string | null = null
  for (const level of side === 'buy' ? book.asks : book.bids) {
    const price = exact(level.price)
    if (limitPrice !== undefined && (side === 'buy' ? price.gt(limitPrice) : price.lt(limitPrice))) break
    const wanted = byAmount ? exact(roundSize(left.div(price), sizeDecimals)) : left
    const size = Exact.min(wanted, level.size)
    if (!size.gt(0)) {
      if (wanted.gt(0)) continue
      break
    }
    filled = filled.plus(size)
    notional = notional.plus(size.times(price))
    left = left.minus(byAmount ? size.times(price) : size)
    worst = level.price
  }
  return {
    filledSize: filled.toFixed(),
    averagePrice: filled.isZero() ? null : notional.div(filled).toSignificantDigits(12).toFixed(),
    worstPrice: worst,
    notionalUsdc: notional.toFixed(),
    feeUsdc: usdcUp(notional.times(takerFee)),
    unfilled: left.toFixed(),
  }
}
