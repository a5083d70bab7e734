import { day, isOpen, markMaxAge, type VaultState } from './state.ts'
import type { Terms } from './terms.ts'

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const atLeastZero = (value: bigint): bigint => (value > 0n ? value : 0n)

/** Returns the UTC day of a time in Unix seconds. */
export const utcDay = (at: bigint): bigint => at / day

/** Returns the first second of the next UTC day, when the daily cap resets. */
export const nextUtcMidnight = (at: bigint): bigint => (utcDay(at) + 1n) * day

/** Returns the contract's `usage()`: gross USDC pulled on the present UTC day, and what is left of the daily cap. */
export function usageAt(
  terms: Terms,
  vault: VaultState,
  at: bigint,
): { readonly day: bigint; readonly used: bigint; readonly left: bigint } {
  const today = utcDay(at)
  const used = vault.usedDay === today ? vault.usedAmount : 0n
  return { day: today, used, left: atLeastZero(terms.dailyCap - used) }
}

/** Returns how much more principal fits into the budget. */
export const depositRoom = (terms: Terms, vault: VaultState): bigint => atLeastZero(terms.budget - vault.principal)

/** Returns how much more USDC the leg budget allows out. `fundLeg` is also limited by the funds of the vault. */
export const legRoom = (terms: Terms, vault: VaultState): bigint => atLeastZero(terms.legBudget - vault.legOut)

/** Returns the USDC of the vault that is not in its ledger: direct transfers that were not recognised. */
export const unrecognised = (vault: VaultState, balance: bigint): bigint =>
  atLeastZero(balance - vault.accounted - vault.feeOwed)

/**
 * Books direct transfers as principal, up to the budget. The agent cannot spend the rest; it goes back to the owner
 * free of fee. Only an open vault recognises transfers, at its next `deposit`, `execute` or `fundLeg`.
 */
export function recognise(terms: Terms, vault: VaultState, balance: bigint, at: bigint): VaultState {
  if (!isOpen(terms, vault, at)) return vault
  const accepted = least(unrecognised(vault, balance), depositRoom(terms, vault))
  return { ...vault, accounted: vault.accounted + accepted, principal: vault.principal + accepted }
}

/** What the fee is computed from. */
type FeeBooks = Pick<VaultState, 'principal' | 'withdrawn' | 'accounted' | 'feeTotal'>
type FeeTerms = Pick<Terms, 'feeBps'>

/** Returns everything that the principal has become: USDC paid out, in the vault, and taken as fee. */
export const grossOf = (vault: Omit<FeeBooks, 'principal'>): bigint =>
  vault.withdrawn + vault.accounted + vault.feeTotal

/** Returns the fee on a profit in USDC base units: `max(0, profit) * feeBps / 10000`, rounded down. */
export const feeOn = (profit: bigint, feeBps: bigint): bigint => (atLeastZero(profit) * feeBps) / 10_000n

/**
 * Returns the fee on all profit realised so far, `gross - principal`. The fee is cumulative, so the order of unwinding,
 * settling and withdrawing cannot change the total.
 */
export const feeDue = (terms: FeeTerms, vault: FeeBooks): bigint =>
  feeOn(grossOf(vault) - vault.principal, terms.feeBps)

/** Returns the part of the fee due that is not taken yet and that the vault can pay now. */
export function feeToAccrue(terms: FeeTerms, vault: FeeBooks): bigint {
  return least(atLeastZero(feeDue(terms, vault) - vault.feeTotal), vault.accounted)
}

/** Moves the fee due from the owner's funds to the fee owed. */
export function accrueFee(terms: Terms, vault: VaultState): VaultState {
  const fee = feeToAccrue(terms, vault)
  return {
    ...vault,
    accounted: vault.accounted - fee,
    feeTotal: vault.feeTotal + fee,
    feeOwed: vault.feeOwed + fee,
  }
}

/** Returns true if a mark of this worth stops the vault: the stop line is set and reached, and the vault is open. */
export function tripsStopLine(terms: Terms, vault: VaultState, worth: bigint, at: bigint): boolean {
  return terms.stopLine !== 0n && worth <= terms.stopLine && isOpen(terms, vault, at)
}

/** Returns true if the vault accepts the time of a mark: newer than the last mark, not in the future, at most an hour old. */
export function isFreshMark(vault: VaultState, asOf: bigint, at: bigint): boolean {
  return asOf > vault.markedAt && asOf <= at && asOf + markMaxAge >= at
}

/**
 * Returns true if the keeper may send marks. Until the principal exceeds the stop line, the first mark would stop a
 * vault for good that is still being funded.
 */
export const mayMark = (terms: Pick<Terms, 'stopLine'>, vault: Pick<VaultState, 'principal'>): boolean =>
  vault.principal > terms.stopLine
