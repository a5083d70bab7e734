/** Highest price per unit of gas, in wei. */
export interface Fees {
  readonly feeMax: bigint
  readonly tipMax: bigint
}

/** Nodes accept a replacement that pays at least a tenth more; a quarter satisfies every client's rule. */
const raised = (amount: bigint): bigint => amount + amount / 4n + 1n

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** What a receipt says of the cost of its transaction; a rollup adds the fee for its data. */
export interface Charged {
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  /** Hex, in receipts of rollups of the OP stack alone. */
  readonly l1Fee?: unknown
}

/** Returns what the chain charged for a transaction, in wei. */
export function chargedFee({ gasUsed, effectiveGasPrice, l1Fee }: Charged): bigint {
  return gasUsed * effectiveGasPrice + (typeof l1Fee === 'string' || typeof l1Fee === 'bigint' ? BigInt(l1Fee) : 0n)
}

/** Returns the fees of a transaction that replaces one with the same nonce; null if they would exceed `cap`. */
export function replacementFees(before: Fees, present: Fees, cap: bigint): Fees | null {
  const feeMax = larger(raised(before.feeMax), present.feeMax)
  const tipMax = larger(raised(before.tipMax), present.tipMax)
  return feeMax > cap ? null : { feeMax: larger(feeMax, tipMax), tipMax }
}
