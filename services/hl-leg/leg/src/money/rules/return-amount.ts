/** What is left below this is not worth a transfer: 0.01 USDC in base units. */
const DUST = 10_000n

/** What an owner's account could give back. Base units of USDC. */
export interface Returnable {
  /** Of the main dex. */
  readonly withdrawable: bigint
  /** Account value over all dexes less foreign money; negative after losses above the leg's money. */
  readonly equity: bigint
}

/** An amount to return; `last` ends the leg. */
export interface ReturnAmount {
  readonly amount: bigint
  readonly last: boolean
}

/**
 * Returns what the owner returns: what can be taken out, at most what the leg is worth; it ends the leg if nothing is owed
 * then. `nothing_owed` and `not_withdrawable` if it would be less than 0.01 USDC.
 */
export function returnAmount({ withdrawable, equity }: Returnable): ReturnAmount | 'nothing_owed' | 'not_withdrawable' {
  const owed = equity > 0n ? equity : 0n
  if (owed < DUST) return 'nothing_owed'
  const amount = withdrawable < owed ? withdrawable : owed
  return amount < DUST ? 'not_withdrawable' : { amount, last: owed - amount < DUST }
}

/** Returns the amount of decimal text, rounded down to base units of USDC, which have 6 decimals. */
export function unitsOf(text: string): bigint {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const units = BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  if (!negative) return units
  return /[1-9]/.test(fraction.slice(6)) ? -units - 1n : -units
}
