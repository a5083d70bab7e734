import type { TransferKind } from '@svc/contracts/hl-leg/money'
import type { LegTotals } from '@svc/limits'

/** A transfer as the sums see it. Base units of USDC, Unix milliseconds. */
export interface CountedTransfer {
  readonly kind: TransferKind
  readonly amount: bigint
  /** Time of the venue's ledger entry; null while it has none. */
  readonly venueAt: number | null
}

/** Leg money, which is neither a present to open an account nor foreign money that goes back. */
const ARRIVES: ReadonlySet<TransferKind> = new Set(['fund'])
const LEAVES: ReadonlySet<TransferKind> = new Set(['return', 'payment'])

/** Sums the ledger entries of a mandate's transfers up to `readAt`; entries after it are not in a reading of that time. */
export function venueTotals(transfers: readonly CountedTransfer[], readAt: number): LegTotals {
  const sum = (kinds: ReadonlySet<TransferKind>) =>
    transfers.reduce(
      (total, { kind, amount, venueAt }) =>
        kinds.has(kind) && venueAt !== null && venueAt <= readAt ? total + amount : total,
      0n,
    )
  return { delivered: sum(ARRIVES), left: sum(LEAVES) }
}
