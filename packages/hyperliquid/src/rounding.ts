import { Decimal } from 'decimal.js'

/** More digits than any product of a venue price and size has, so that nothing is rounded on the way. */
export const Exact = Decimal.clone({ precision: 60, toExpNeg: -30, toExpPos: 40 })
export type Exact = InstanceType<typeof Exact>
/** Returns a number of the venue for exact arithmetic. */
export const exact = (value: Decimal.Value): Exact => new Exact(value)
const SIGNIFICANT_FIGURES = 5
const PERP_DECIMALS_MAX = 6
const USDC_DECIMALS = 6

export type Side = 'buy' | 'sell'

/**
 * Rounds a limit price to the venue's grid toward the middle of the book: a buy down, a sell up, so that no price
 * leaves the band it was computed from. The grid has 5 significant figures, at most `6 - sizeDecimals` decimals, and
 * every whole number. Takes and returns decimal text; null if nothing above zero is left.
 */
export function roundPrice(price: string, side: Side, sizeDecimals: number): string | null {
  const given = exact(price)
  if (!given.isPositive() || given.isZero()) return null
  const decimals = Math.min(PERP_DECIMALS_MAX - sizeDecimals, Math.max(0, SIGNIFICANT_FIGURES - 1 - given.e))
  const rounded = given.toDecimalPlaces(decimals, side === 'buy' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
  return rounded.isZero() ? null : rounded.toFixed()
}

/**
 * Returns the worst price that an order may fill at: the middle price moved by `slippage` (a fraction of it) against
 * the order, on the grid. Null if the grid has no such price.
 */
export function worstPrice(middle: string, side: Side, slippage: string, sizeDecimals: number): string | null {
  const share = side === 'buy' ? exact(1).plus(slippage) : exact(1).minus(slippage)
  return roundPrice(share.times(middle).toFixed(), side, sizeDecimals)
}

/** Rounds a size down to the lot of a market; decimal text, `0` if less than a lot. */
export const roundSize = (size: Decimal.Value, sizeDecimals: number): string =>
  exact(size).toDecimalPlaces(sizeDecimals, Decimal.ROUND_FLOOR).toFixed()

/** Rounds an amount of USDC down to micro-dollars, as the venue accounts for it; decimal text. */
export const floorUsdc = (amount: Decimal.Value): string =>
  exact(amount).toDecimalPlaces(USDC_DECIMALS, Decimal.ROUND_FLOOR).toFixed()

/** Rounds an amount of USDC up to micro-dollars: for what may be spent or lost; decimal text. */
export const usdcUp = (amount: Decimal.Value): string =>
  exact(amount).toDecimalPlaces(USDC_DECIMALS, Decimal.ROUND_CEIL).toFixed()

/** Rounds an amount of USDC to the nearest micro-dollar; decimal text. */
export const usdcNear = (amount: Decimal.Value): string => exact(amount).toDecimalPlaces(USDC_DECIMALS).toFixed()

/** True for text that the venue's wire accepts as a decimal: no exponent, sign, superfluous zero, or ninth decimal. */
export const isWireDecimal = (text: string): boolean => /^(?:0|[1-9]\d{0,19})(?:\.\d{0,7}[1-9])?$/.test(text)
