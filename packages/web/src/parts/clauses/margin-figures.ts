/** The figures that stand in the margin. Amounts are base units. */
export interface MarginFigures {
  readonly budget: bigint
  readonly perTxCap: bigint
  readonly dailyCap: bigint
  readonly approvalAbove: bigint | null
  readonly stopLine: bigint
  /** Unix seconds. */
  readonly endsAt: bigint
  readonly feeBps: bigint
  readonly markets: readonly string[]
}
