import { feeOn } from '@svc/limits'

/** An account at a reading that was explained. Base units of USDC. */
export interface ExplainedReading {
  readonly value: bigint
  readonly foreign_money: bigint
}

/** What is known of a leg whose owner let the time pass. Base units of USDC. */
export interface Known {
  /** The explained reading of now; null without one. */
  readonly now: ExplainedReading | null
  /** Explained readings of the hour before explanations ceased. */
  readonly lately: readonly ExplainedReading[]
  /** Leg money in the newest mark that was sent; null without one. */
  readonly marked: bigint | null
  /** What the vault has out. */
  readonly legOut: bigint
}

/** How a leg ends. Base units of USDC. */
export interface Fallback {
  /** What the vault gets. */
  readonly amount: bigint
  /** What the owner moved away and keeps. */
  readonly kept: bigint
  /** What is owed beyond the amount, with what is kept. */
  readonly beyond: bigint
}

/** What the fee on a leg that ended by the fallback follows from. Base units of USDC. */
export interface FeeBasis {
  /** What the vault has made if the leg gives back nothing more, before its fee; null if unknown: the rest broke even. */
  readonly profit: bigint | null
  readonly feeBps: bigint
  /** What the vault has out. */
  readonly legOut: bigint
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const above = (a: bigint) => (a > 0n ? a : 0n)

/**
 * Returns the fee that the vault would have taken on what it did not get, by the vault's own rule: the fee is cumulative, so that
 * a loss elsewhere counts against it.
 */
export function feeOwed({ amount, beyond }: Fallback, { profit, feeBps, legOut }: FeeBasis): bigint {
  const made = (profit ?? -legOut) + amount
  return feeOn(made + beyond, feeBps) - feeOn(made, feeBps)
}

/** Returns what a leg owes at a reading: its equity, also where the owner moved the money away. */
export const owedBy = ({ value, foreign_money }: ExplainedReading): bigint => above(value - foreign_money)

/** Returns what of it the account holds. */
const heldBy = (reading: ExplainedReading): bigint => least(owedBy(reading), above(reading.value))

/**
 * Returns what a vault gets at the fallback by the last good reading: that of now, else the lowest of the hour before
 * explanations ceased, else the last mark; never more than it has out. Null if nothing is known: unknown is never zero.
 */
export function fallbackOf({ now, lately, marked, legOut }: Known): Fallback | null {
  const lowest = lately.reduce<ExplainedReading | null>(
    (low, one) => (low === null || heldBy(one) < heldBy(low) ? one : low),
    null,
  )
  const last = now ?? lowest
  if (last === null && marked === null) return null
  const [owed, held] = last === null ? [marked ?? 0n, marked ?? 0n] : [owedBy(last), heldBy(last)]
  const amount = least(held, legOut)
  return { amount, kept: owed - held, beyond: owed - amount }
}
