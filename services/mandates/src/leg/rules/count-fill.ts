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
  readonly side: 'buy' | 'sell'
  readonly size: bigint
  readonly filledSize: bigint
  readonly notional: bigint
  readonly fee: bigint
  readonly badFill: bigint
  readonly byAgent: boolean
}

/**
 * Returns what an ended order counts against the daily cap, and whether it exceeds what was judged. A fill counts its notional,
 * at most what was reserved: a sale fills at its worst price or above, which costs nobody anything. More than the size, a
 * purchase above its worst price, and an open that nobody judged count whole.
 */
export function countFill(
  reserved: bigint | null,
  order: EndedOrder,
): { readonly resolution: Resolution; readonly violation: boolean } {
  const { outcome, opening, notional, fee, badFill, byAgent } = order
  const filled = outcome === 'filled'
  const above = reserved === null || order.filledSize > order.size || (order.side === 'buy' && notional > reserved)
  const violation = filled && opening && above
  const counted = reserved === null || above ? notional : notional < reserved ? notional : reserved
  return {
    resolution: {
      outcome,
      used: filled && opening ? counted : 0n,
      notional: filled ? notional : 0n,
      fee,
      badFill: filled && byAgent ? badFill : 0n,
    },
    violation,
  }
}
