import { Decimal } from 'decimal.js'

/** More digits than any amount of the venue has, so that nothing is rounded on the way. */
const Exact = Decimal.clone({ precision: 60, toExpNeg: -30, toExpPos: 40 })

/** Converts decimal text of the venue to micro-dollars, rounded toward less. */
export const usdcUnitsDown = (text: string): bigint =>
  BigInt(new Exact(text).times(1_000_000).toDecimalPlaces(0, Decimal.ROUND_FLOOR).toFixed())

/** Converts decimal text of the venue to micro-dollars, rounded toward more. */
export const usdcUnitsUp = (text: string): bigint =>
  BigInt(new Exact(text).times(1_000_000).toDecimalPlaces(0, Decimal.ROUND_CEIL).toFixed())

/** Returns micro-dollars, which may be negative, as decimal text without superfluous zeros. */
export function signedUsdcText(units: bigint): string {
  return new Exact(String(units)).div(1_000_000).toFixed()
}
/** Adds decimal texts without loss. */
export const sumOf = (texts: readonly string[]): string =>
  texts.reduce((sum, text) => sum.plus(text), new Exact(0)).toFixed()
