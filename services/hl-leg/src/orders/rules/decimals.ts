import { Decimal } from 'decimal.js'

/** Decimal arithmetic with more digits than any product of the venue has, so that nothing is rounded on the way. */
export const Exact = Decimal.clone({ precision: 60, toExpNeg: -30, toExpPos: 40 })
export type Exact = InstanceType<typeof Exact>
export const exact = (value: Decimal.Value): Exact => new Exact(value)

const USDC_DECIMALS = 6

/** USDC as decimal text, rounded up to a micro-dollar: for what may be spent or lost. */
export const usdcUp = (value: Decimal.Value): string =>
  exact(value).toDecimalPlaces(USDC_DECIMALS, Decimal.ROUND_CEIL).toFixed()
/** USDC as decimal text, rounded down to a micro-dollar: for what is there. */
export const usdcDown = (value: Decimal.Value): string =>
  exact(value).toDecimalPlaces(USDC_DECIMALS, Decimal.ROUND_FLOOR).toFixed()
/** USDC as decimal text, rounded to the nearest micro-dollar. */
export const usdcNear = (value: Decimal.Value): string => exact(value).toDecimalPlaces(USDC_DECIMALS).toFixed()
