import { Decimal } from 'decimal.js'
import type { Reading } from '@svc/venue/rules/reading'

type Snapshot = Pick<Reading, 'accountValue' | 'positions'>

/** Cash that fees and funding of an interval do not reach, USDC. */
const SMALL_USDC = '0.5'

/** Returns the account value without what the positions won or lost since they were opened, decimal text. */
export const cashOf = ({ accountValue, positions }: Snapshot): string =>
  positions.reduce((cash, { unrealizedPnl }) => cash.minus(unrealizedPnl), new Decimal(accountValue)).toFixed()

/**
 * Returns true if the cash of an account differs by more than fees and funding from cash that was explained: by a payment, or
 * by a result that a close made cash. Null: none was explained yet.
 */
export const isCashUnexplained = (cash: string | null, reading: Snapshot): boolean =>
  cash === null || new Decimal(cashOf(reading)).minus(cash).abs().gt(SMALL_USDC)

/** Returns the cash that was explained last with the payments that are stored since, decimal text; null without one. */
export const explainedCash = ({
  cash,
  paid,
}: {
  readonly cash: string | null
  readonly paid: string
}): string | null => (cash === null ? null : sumUsdc([cash, paid]))

/** Returns what an account is worth with other cash than it has: that, and what its positions won or lost. Decimal text. */
export const valueWith = (cash: string, reading: Snapshot): string =>
  new Decimal(reading.accountValue).minus(cashOf(reading)).plus(cash).toFixed()

/** Returns the lower of two amounts, decimal text. */
export const lowerOf = (a: string, b: string): string => (new Decimal(a).lt(b) ? a : b)

/** Adds amounts, decimal text. */
export const sumUsdc = (amounts: readonly string[]): string =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed()
