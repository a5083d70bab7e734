import { exact } from '@svc/hyperliquid/rounding'
import { Decimal } from 'decimal.js'

const USDC_DECIMALS = 6

/** USDC as decimal text, rounded up to a micro-dollar: for what may be spent or lost. */
export const usdcUp = (value: Decimal.Value): string =>
  exact(value).toDecimalPlaces(USDC_DECIMALS, Decimal.ROUND_CEIL).toFixed()
/** USDC as decimal text, rounded to the nearest micro-dollar. */
export const usdcNear = (value: Decimal.Value): string => exact(value).toDecimalPlaces(USDC_DECIMALS).toFixed()
