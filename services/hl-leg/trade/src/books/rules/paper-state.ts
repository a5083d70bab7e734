import { exact, type Exact, usdcNear, usdcUp } from '@svc/hyperliquid/rounding'
import { Decimal } from 'decimal.js'
import { liquidationPrice } from '@svc/venue/rules/liquidation'

/** Digits of an average price. */
const PRICE_DIGITS = 12

/** A price that was computed, as decimal text of 12 digits. */
export const priceNear = (value: Decimal.Value): string => exact(value).toSignificantDigits(PRICE_DIGITS).toFixed()

/** What a book holds in a market; decimal text, `size` negative for a short position. */
export interface Holding {
  readonly coin: string
  readonly size: string
  /** Null if and only if the size is zero. */
  readonly entryPrice: string | null
  readonly markPrice: string
  readonly maxLeverage: number
}

/** Money and positions of a book. */
export interface PaperState {
  readonly cashUsdc: string
  /** At most one of a coin, none of size zero. */
  readonly holdings: readonly Holding[]
}

/** Size that was traded in a market for a notional and a fee. */
export interface Trade {
  readonly coin: string
  readonly side: 'buy' | 'sell'
  readonly size: string
  readonly notionalUsdc: string
  readonly feeUsdc: string
  readonly markPrice: string
  readonly maxLeverage: number
}

/** A book after a trade. */
export interface Traded {
  readonly state: PaperState
  /** The position in the market, of size zero if it is closed. */
  readonly holding: Holding
  /** Profit of what was closed, before fees. */
  readonly closedPnlUsdc: string
}

const sum = (holdings: readonly Holding[], of: (one: Holding) => Exact): Exact =>
  holdings.reduce((total, one) => total.plus(of(one)), exact(0))
const notionalOf = ({ size, markPrice }: Holding): Exact => exact(size).abs().times(markPrice)

/** Equity of a book: its cash and what the positions are worth at their mark prices. */
export const equityOf = ({ cashUsdc, holdings }: PaperState): string =>
  usdcNear(sum(holdings, ({ size, markPrice }) => exact(size).times(markPrice)).plus(cashUsdc))

/** Margin that the open positions must have been opened with: notional ÷ the market's highest leverage. */
export const initialMarginOf = ({ holdings }: PaperState): string =>
  sum(holdings, (one) => notionalOf(one).div(one.maxLeverage)).toFixed()

/** Notional of all positions at their marks, rounded up; decimal text in USDC. */
export const openNotionalOf = ({ holdings }: PaperState): string => usdcUp(sum(holdings, notionalOf))

/** Equity below which the book is liquidated: half of the initial margin. */
export const maintenanceOf = ({ holdings }: PaperState): string =>
  sum(holdings, (one) => notionalOf(one).div(2 * one.maxLeverage)).toFixed()

/** Returns true if the equity no longer covers the maintenance margin. */
export const isLiquidated = (state: PaperState): boolean => exact(equityOf(state)).lt(maintenanceOf(state))

/** Returns the mark price of a market at which the book is liquidated if no other price moves; null without one. */
export function liquidationPriceOf(state: PaperState, coin: string): string | null {
  const held = state.holdings.find((one) => one.coin === coin)
  if (held === undefined) return null
  const room = exact(equityOf(state)).minus(maintenanceOf(state)).toFixed()
  return liquidationPrice({ ...held, mark: held.markPrice }, room)
}

/**
 * Adds a trade to a book. The entry price averages on what is added and stays on what is closed; a trade never turns a
 * position.
 */
export function applyTrade(state: PaperState, trade: Trade): Traded {
  const { coin, side, size, notionalUsdc, feeUsdc, markPrice, maxLeverage } = trade
  const before = state.holdings.find((one) => one.coin === coin)
  const held = exact(before?.size ?? 0)
  const entry = exact(before?.entryPrice ?? 0)
  const sign = side === 'buy' ? 1 : -1
  const after = held.plus(exact(size).times(sign))
  const isClosing = held.isNegative() === (side === 'buy') && !held.isZero()
  const closed = exact(notionalUsdc).minus(entry.times(size)).times(-sign)
  const opened = held.abs().times(entry).plus(notionalUsdc)
  const entryPrice = isClosing ? (before?.entryPrice ?? null) : priceNear(opened.div(after.abs()))
  const holding: Holding = {
    coin,
    size: after.toFixed(),
    entryPrice: after.isZero() ? null : entryPrice,
    markPrice,
    maxLeverage,
  }
  const others = state.holdings.filter((one) => one.coin !== coin)
  return {
    state: {
      cashUsdc: usdcNear(exact(state.cashUsdc).minus(exact(notionalUsdc).times(sign)).minus(feeUsdc)),
      holdings: after.isZero() ? others : [...others, holding],
    },
    holding,
    closedPnlUsdc: isClosing ? usdcNear(closed) : '0',
  }
}

/** Greatest fall from the peak in basis points, cut to whole ones, and the peak, after an equity was seen. */
export function drawdownOf(
  before: { readonly peakUsdc: string; readonly maxDrawdownBps: number },
  equityUsdc: string,
): { readonly peakUsdc: string; readonly maxDrawdownBps: number } {
  const peak = Decimal.max(before.peakUsdc, equityUsdc)
  const fall = exact(peak).minus(equityUsdc).times(10_000).div(peak).floor()
  const bps = Math.min(10_000, fall.toNumber())
  return { peakUsdc: peak.toFixed(), maxDrawdownBps: Math.max(before.maxDrawdownBps, bps) }
}
