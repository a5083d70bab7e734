/** What a unit of gas may cost, in wei. */
export interface Fees {
  readonly feeMax: bigint
  readonly tipMax: bigint
}

/** Nodes take a replacement that pays at least a tenth more; a quarter is above every client's rule. */
const raised = (amount: bigint): bigint => amount + amount / 4n + 1n

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Fees of a transaction that replaces one of the same nonce; null when that would cost more than `cap`. */
export function replacementFees(before: Fees, present: Fees, cap: bigint): Fees | null {
  const feeMax = larger(raised(before.feeMax), present.feeMax)
  const tipMax = larger(raised(before.tipMax), present.tipMax)
  return feeMax > cap ? null : { feeMax: larger(feeMax, tipMax), tipMax }
}
