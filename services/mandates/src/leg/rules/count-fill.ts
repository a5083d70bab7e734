/** What became of an order, as it counts. Amounts are USDC base units. */
export interface Resolution {
  readonly outcome: 'filled' | 'missed'
  /** What it counts against the daily cap. */
  readonly used: bigint
  readonly notional: bigint
  readonly fee: bigint
  readonly badFill: bigint
}

/** An order that ended at the venue. Amounts are USDC base units, sizes units of the venue's finest step. */
export interface EndedOrder {
  readonly outcome: 'filled' | 'missed'
  readonly opening: boolean
  readonly size: bigint
  readonly filledSize: bigint
  readonly notional: bigint
  readonly fee: bigint
  readonly badFill: bigint
  readonly byAgent: boolean
}

/**
 * Returns what an ended order counts against the daily cap, and whether it exceeds what was judged. A fill counts its own
 * notional. More than what was reserved is no violation, because the size was judged: the price was above the reference price. More
 * than the size is one, and so is an open that nobody judged.
 */
export function countFill(
  reserved: bigint | null,
  order: EndedOrder,
): { readonly resolution: Resolution; readonly violation: boolean } {
  const { outcome, opening, notional, fee, badFill, byAgent } = order
  const filled = outcome === 'filled'
  const violation = filled && opening && (reserved === null || order.filledSize > order.size)
  return {
    resolution: {
      outcome,
      used: filled && opening ? notional : 0n,
      notional: filled ? notional : 0n,
      fee,
      badFill: filled && byAgent ? badFill : 0n,
    },
    violation,
  }
}
