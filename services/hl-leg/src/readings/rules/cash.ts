import { Decimal } from 'decimal.js'
import type { Reading } from './reading.ts'

type Snapshot = Pick<Reading, 'accountValue' | 'positions'>

/** Cash that fees and funding of one interval do not reach, USDC. */
const SMALL_USDC = '0.5'

/** Account value without what the positions won or lost since they were opened. */
const cashOf = ({ accountValue, positions }: Snapshot): Decimal =>
  positions.reduce((cash, { unrealizedPnl }) => cash.minus(unrealizedPnl), new Decimal(accountValue))

/**
 * Returns true if the cash of an account changed between two readings by more than fees and funding: a payment, or a
 * result that a close made cash.
 */
export const hasUnexplainedCash = (before: Snapshot, after: Snapshot): boolean =>
  cashOf(after).minus(cashOf(before)).abs().gt(SMALL_USDC)
