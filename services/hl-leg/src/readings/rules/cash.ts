import { Decimal } from 'decimal.js'
import type { Reading } from '#venue/rules/reading.ts'

type Snapshot = Pick<Reading, 'accountValue' | 'positions'>

/** Cash that fees and funding of an interval do not reach, USDC. */
const SMALL_USDC = '0.5'

/** Returns the account value without what the positions won or lost since they were opened, decimal text. */
export const cashOf = ({ accountValue, positions }: Snapshot): string =>
  positions.reduce((cash, { unrealizedPnl }) => cash.minus(unrealizedPnl), new Decimal(accountValue)).toFixed()

/**
 * Returns true if the cash of an account differs from that of its last ledger by more than fees and funding: a payment,
 * or a result that a close made cash. Null: the ledger was never read with a reading.
 */
export const isCashUnexplained = (cash: string | null, reading: Snapshot): boolean =>
  cash === null || new Decimal(cashOf(reading)).minus(cash).abs().gt(SMALL_USDC)

/** Returns true if an account has more cash than its last ledger and fees explain: perhaps money of others, which is no worth. */
export const isCashUp = (cash: string | null, reading: Snapshot): boolean =>
  cash === null || new Decimal(cashOf(reading)).minus(cash).gt(SMALL_USDC)
