import { Decimal } from 'decimal.js'
import { cashMade, type Execution, type Funding } from '#readings/rules/history.ts'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'

/** What the venue's history says of the dexes of an account that are read, up to a reading. Decimal text. */
export interface History {
  readonly fills: readonly Execution[]
  readonly fundings: readonly Funding[]
  readonly unrealized: readonly string[]
}

/** An account's value, and the payments that it is explained by. Base units of USDC. */
export interface Account {
  readonly value: bigint
  readonly foreign: bigint
  readonly delivered: bigint
  readonly left: bigint
}

/** What may be lost by rounding: 0.01 USDC, and 0.000001 for each row. */
const TOLERANCE = 10_000n

/** Returns the profit of an account since it was bound: results less fees, funding, and what open positions won. */
export function profitOf({ fills, fundings, unrealized }: History): bigint {
  const sum = unrealized.reduce((total, pnl) => total.plus(pnl), new Decimal(cashMade({ fills, fundings })))
  return usdcUnitsDown(sum.toFixed())
}

/** Returns what an account should hold, recomputed from its history, and whether that agrees with what it holds. */
export function explain(
  { value, foreign, delivered, left }: Account,
  history: History,
): { readonly expected: bigint; readonly holds: boolean } {
  const expected = foreign + delivered - left + profitOf(history)
  const rows = BigInt(history.fills.length + history.fundings.length)
  const difference = value > expected ? value - expected : expected - value
  return { expected, holds: difference <= TOLERANCE + rows }
}
