import { usdcUnitsDown, usdcUnitsUp } from '@svc/venue/rules/usdc-units'

/** What an account is worth, in micro-dollars. Any figure may be negative. */
export interface LegWorth {
  /** Account value over all dexes. */
  readonly accountValue: bigint
  /** Account value less the allowance for closing all positions. */
  readonly worth: bigint
  /** Account value less foreign money: what belongs to the mandate. */
  readonly equity: bigint
  /** `worth` less foreign money. */
  readonly ownWorth: bigint
  /** The lower of `worth` and `ownWorth`, by which the stop line and opening orders are judged. */
  readonly lower: bigint
  /** What a mark counts: `worth` without foreign money above zero, never below zero. */
  readonly marked: bigint
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
const max = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * Computes the worth of an account. `exitBps`: allowance for closing, in basis points of the notional, rounded up.
 * `foreign`: money at the venue that is not the mandate's, in micro-dollars.
 */
export function worthOf(
  reading: { readonly accountValue: string; readonly notional: string },
  foreign: bigint,
  exitBps: number,
): LegWorth {
  const accountValue = usdcUnitsDown(reading.accountValue)
  const allowance = (usdcUnitsUp(reading.notional) * BigInt(exitBps) + 9_999n) / 10_000n
  const worth = accountValue - allowance
  const ownWorth = worth - foreign
  const lower = min(worth, ownWorth)
  return { accountValue, worth, equity: accountValue - foreign, ownWorth, lower, marked: max(0n, lower) }
}
