import { exact, usdcNear, usdcUp } from '@svc/hyperliquid/rounding'
import { walkBook, type Book } from '@svc/venue/rules/walk-book'
import { applyTrade, equityOf, priceNear, type Holding, type PaperState } from './paper-state.ts'

/** Decimals of a lot do not matter where whole positions are closed. */
const ANY_LOT = 8

/** Close of a position by liquidation, and the book after it. */
export interface ForcedClose {
  readonly coin: string
  readonly side: 'buy' | 'sell'
  readonly size: string
  readonly averagePrice: string
  readonly worstPrice: string
  readonly markPrice: string
  readonly notionalUsdc: string
  readonly feeUsdc: string
  readonly closedPnlUsdc: string
  /** What the closes cost beyond the money of the book; on the last one. */
  readonly coveredUsdc: string
  readonly holding: Holding
  /** Of the book after it. */
  readonly cashUsdc: string
  readonly equityUsdc: string
}

/** What is known of a market when its position is closed: the book, null if it could not be read, and the fee. */
export interface Exit {
  readonly depth: Book | null
  readonly takerFee: string
}

/**
 * Closes all positions of a book in the order of their coins: each walks the whole side of the venue's book; what is left
 * closes at the last price reached, and without a book at the mark price. The book never owes: a rest below zero is
 * covered.
 */
export function planLiquidation(state: PaperState, exitOf: (coin: string) => Exit): readonly ForcedClose[] {
  let current = state
  const closes: ForcedClose[] = []
  const coins = state.holdings.toSorted((a, b) => (a.coin < b.coin ? -1 : 1))
  for (const holding of coins) {
    const close = closeOf(holding, exitOf(holding.coin))
    const traded = applyTrade(current, close)
    const isLast = closes.length === coins.length - 1
    const owed = exact(traded.state.cashUsdc).neg()
    const coveredUsdc = isLast && owed.gt(0) ? owed.toFixed() : '0'
    current = { ...traded.state, cashUsdc: exact(traded.state.cashUsdc).plus(coveredUsdc).toFixed() }
    const { holding: closed, closedPnlUsdc } = traded
    const { cashUsdc } = current
    closes.push({ ...close, closedPnlUsdc, coveredUsdc, holding: closed, cashUsdc, equityUsdc: equityOf(current) })
  }
  return closes
}

function closeOf({ coin, size, markPrice, maxLeverage }: Holding, { depth, takerFee }: Exit) {
  const side = size.startsWith('-') ? ('buy' as const) : ('sell' as const)
  const whole = exact(size).abs().toFixed()
  const order = { side, quantity: { size: whole }, takerFee, sizeDecimals: ANY_LOT }
  const walk = walkBook(depth ?? { bids: [], asks: [] }, order)
  const worstPrice = walk.worstPrice ?? markPrice
  const notional = exact(walk.notionalUsdc).plus(exact(walk.unfilled).times(worstPrice))
  return {
    coin,
    side,
    size: whole,
    averagePrice: priceNear(notional.div(whole)),
    worstPrice,
    markPrice,
    maxLeverage,
    notionalUsdc: usdcNear(notional),
    feeUsdc: usdcUp(notional.times(takerFee)),
  }
}
