import { Decimal } from 'decimal.js'

/** Returns the most open notional that a leg may carry, in micro-dollars: a multiple of the mandate's daily cap. */
export const openNotionalMax = (dailyCap: bigint, multiple: string): bigint =>
  BigInt(new Decimal(String(dailyCap)).times(multiple).toDecimalPlaces(0, Decimal.ROUND_FLOOR).toFixed())
