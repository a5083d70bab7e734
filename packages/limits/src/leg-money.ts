/** Leg money that arrived at and left the account at the venue up to a time, by its ledger. USDC base units. */
export interface LegTotals {
  readonly delivered: bigint
  readonly left: bigint
}

/** An account at the venue at one time: its value over all dexes less the exit allowance, and what in it is foreign. */
export interface LegReading {
  readonly value: bigint
  readonly foreign: bigint
}

/**
 * Returns what of an account's value counts as worth of the mandate: never money that its owner or a stranger paid in, and
 * never more than the account holds.
 */
export function countedWorth({ value, foreign }: LegReading): bigint {
  const own = value - foreign
  const least = own < value ? own : value
  return least > 0n ? least : 0n
}

/** What a vault paid to its leg and got back, at a block. USDC base units. */
export interface LegFunding {
  readonly funded: bigint
  readonly returned: bigint
}

/**
 * Returns leg money that is in neither the vault nor the account: what left the vault and has not arrived, plus what left the
 * account and has not come back. Negative for money at the venue that no vault paid. Readings of different times agree,
 * because each entry counts on one side only.
 */
export const movingMoney = ({ funded, returned }: LegFunding, { delivered, left }: LegTotals): bigint =>
  funded - delivered + (left - returned)
