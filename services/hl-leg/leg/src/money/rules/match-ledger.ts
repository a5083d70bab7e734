/** A payment between accounts in the venue's ledger. Base units of USDC, Unix milliseconds. */
export interface LedgerPayment {
  readonly hash: string
  readonly at: number
  readonly payer: string
  readonly payee: string
  readonly amount: bigint
}

/** A transfer whose bytes were signed and whose entry is not known yet. */
export interface SignedTransfer {
  readonly transferId: string
  readonly payer: string
  readonly payee: string
  readonly amount: bigint
  /** Nonce of the signed bytes, Unix milliseconds: the venue executed them not before it, by its clock. */
  readonly nonce: number
}

/** How far the venue's clock may lag behind ours. */
const SKEW_MS = 60_000

/**
 * Returns which entry belongs to which transfer. An entry has no nonce, so payer, payee and amount decide, the earliest entry
 * for the earliest nonce; an entry belongs to one transfer, and `taken` entries to earlier ones.
 */
export function matchPayments(
  transfers: readonly SignedTransfer[],
  payments: readonly LedgerPayment[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, LedgerPayment> {
  const free = payments.filter(({ hash }) => !taken.has(hash)).toSorted((a, b) => a.at - b.at)
  const matched = new Map<string, LedgerPayment>()
  const used = new Set<string>()
  for (const transfer of transfers.toSorted((a, b) => a.nonce - b.nonce)) {
    const found = free.find((one) => !used.has(one.hash) && isOf(transfer, one))
    if (found === undefined) continue
    used.add(found.hash)
    matched.set(transfer.transferId, found)
  }
  return matched
}

const isOf = (transfer: SignedTransfer, { payer, payee, amount, at }: LedgerPayment): boolean =>
  payer === transfer.payer && payee === transfer.payee && amount === transfer.amount && at >= transfer.nonce - SKEW_MS

/** How a payment from an owner to the pool that no row announced is divided. Base units of USDC. */
export interface PaymentShares {
  readonly toDebt: bigint
  readonly toLeg: bigint
  /** Counts as foreign and goes back. */
  readonly foreign: bigint
}

/**
 * Divides a payment from an owner to the pool that no row announced: it lowers the owner's debt first, then is a return of a
 * leg that may take one, up to what was owed before it. The rest is foreign.
 */
export function sharePayment(amount: bigint, debt: bigint, owed: bigint | null): PaymentShares {
  const least = (a: bigint, b: bigint) => (a < b ? a : b)
  const toDebt = least(amount, debt > 0n ? debt : 0n)
  const toLeg = owed === null || owed <= 0n ? 0n : least(amount - toDebt, owed)
  return { toDebt, toLeg, foreign: amount - toDebt - toLeg }
}
