import { exact } from '@svc/hyperliquid/rounding'
import { Decimal } from 'decimal.js'

/** Converts decimal text of the venue to micro-dollars, rounded toward less. */
export const usdcUnitsDown = (text: string): bigint =>
  BigInt(exact(text).times(1_000_000).toDecimalPlaces(0, Decimal.ROUND_FLOOR).toFixed())

/** Converts decimal text of the venue to micro-dollars, rounded toward more. */
export const usdcUnitsUp = (text: string): bigint =>
  BigInt(exact(text).times(1_000_000).toDecimalPlaces(0, Decimal.ROUND_CEIL).toFixed())

/** Adds decimal texts without loss. */
export const sumOf = (texts: readonly string[]): string =>
  texts.reduce((sum, text) => sum.plus(text), exact(0)).toFixed()
