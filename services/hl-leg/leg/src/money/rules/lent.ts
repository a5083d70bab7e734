import type { TransferKind, TransferState } from '@svc/contracts/hl-leg/money'

/** A transfer of a mandate as lending sees it. Base units of USDC. */
export interface LentTransfer {
  readonly kind: TransferKind
  readonly state: TransferState
  readonly amount: bigint
  readonly last: boolean
  /** The venue's ledger has an entry for it. */
  readonly landed: boolean
}

/** Fundings that took nothing out of the house's pool, and those that a debt counts. */
const NOT_LENT: ReadonlySet<TransferState> = new Set(['cancelled', 'turned_back', 'leg_debt'])

/**
 * Returns what the house lends to a leg: fundings that were decided, less what came back. Nothing once the leg has ended:
 * its loss was the vault's, and what was paid back in place of its owner is a debt.
 */
export function lentTo(transfers: readonly LentTransfer[]): bigint {
  if (hasEnded(transfers)) return 0n
  const out = transfers.reduce(
    (sum, { kind, state, amount }) => (kind === 'fund' && !NOT_LENT.has(state) ? sum + amount : sum),
    0n,
  )
  const back = transfers.reduce(
    (sum, { kind, landed, amount }) => ((kind === 'return' || kind === 'payment') && landed ? sum + amount : sum),
    0n,
  )
  return out > back ? out - back : 0n
}

/** Whether a transfer that ends the leg has arrived in the vault. */
export const hasEnded = (transfers: readonly LentTransfer[]): boolean =>
  transfers.some(({ last, state }) => last && state === 'confirmed')

/** Whether a transfer ends the leg and cannot be replaced any more; the chain may not show it yet. */
export const isEnd = ({ last, kind, state }: Pick<LentTransfer, 'last' | 'kind' | 'state'>): boolean =>
  last &&
  state !== 'void' &&
  state !== 'refused' &&
  state !== 'cancelled' &&
  !(kind === 'return' && state === 'planned')
