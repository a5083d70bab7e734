import { day, isOpen, markMaxAge, type VaultState } from './state.ts'
import type { Terms } from './terms.ts'

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const atLeastZero = (value: bigint): bigint => (value > 0n ? value : 0n)

/** The UTC day of a time in Unix seconds. */
export const utcDay = (at: bigint): bigint => at / day

/** The first second of the next UTC day, when the daily cap starts anew. */
export const nextUtcMidnight = (at: bigint): bigint => (utcDay(at) + 1n) * day

/** The contract's `usage()`: gross USDC pulled on the present UTC day and what the daily cap leaves. */
export function usageAt(
  terms: Terms,
  vault: VaultState,
  at: bigint,
): { readonly day: bigint; readonly used: bigint; readonly left: bigint } {
  const today = utcDay(at)
  const used = vault.usedDay === today ? vault.usedAmount : 0n
  return { day: today, used, left: atLeastZero(terms.dailyCap - used) }
}

/** How much more principal the budget takes in. */
export const depositRoom = (terms: Terms, vault: VaultState): bigint => atLeastZero(terms.budget - vault.principal)

/** How much more of the vault's money may go to the leg; an open vault's `fundLeg` is also bounded by its funds. */
export const legRoom = (terms: Terms, vault: VaultState): bigint => atLeastZero(terms.legBudget - vault.legOut)

/** USDC in the vault that its ledger does not know: direct transfers beyond what was recognised. */
export const unrecognised = (vault: VaultState, balance: bigint): bigint =>
  atLeastZero(balance - vault.accounted - vault.feeOwed)

/**
 * Takes direct transfers into the ledger as principal, up to the budget; the rest stays out of the agent's reach and
 * goes back to the owner free of fee. Only an open vault recognises, at its next deposit, execute or fundLeg.
 */
export function recognise(terms: Terms, vault: VaultState, balance: bigint, at: bigint): VaultState {
  if (!isOpen(terms, vault, at)) return vault
  const accepted = least(unrecognised(vault, balance), depositRoom(terms, vault))
  return { ...vault, accounted: vault.accounted + accepted, principal: vault.principal + accepted }
}

/** Everything the mandate's money has become so far: paid out, in the vault, or taken as fee. */
export const grossOf = (vault: VaultState): bigint => vault.withdrawn + vault.accounted + vault.feeTotal

/**
 * The fee on all profit realised so far: `max(0, gross - principal) * feeBps / 10000`, rounded down. It is
 * cumulative, so the order of unwinding, settling and withdrawing cannot change the total.
 */
export function feeDue(terms: Terms, vault: VaultState): bigint {
  return (atLeastZero(grossOf(vault) - vault.principal) * terms.feeBps) / 10_000n
}

/** The part of the fee due that is not taken yet and that the vault's own money can pay now. */
export function feeToAccrue(terms: Terms, vault: VaultState): bigint {
  return least(atLeastZero(feeDue(terms, vault) - vault.feeTotal), vault.accounted)
}

/** Moves the fee due from the owner's money to the fee owed. */
export function accrueFee(terms: Terms, vault: VaultState): VaultState {
  const fee = feeToAccrue(terms, vault)
  return {
    ...vault,
    accounted: vault.accounted - fee,
    feeTotal: vault.feeTotal + fee,
    feeOwed: vault.feeOwed + fee,
  }
}

/** True when a mark of this worth closes the vault: the line is set, reached, and the vault is open. */
export function tripsStopLine(terms: Terms, vault: VaultState, worth: bigint, at: bigint): boolean {
  return terms.stopLine !== 0n && worth <= terms.stopLine && isOpen(terms, vault, at)
}

/** True when a mark's time is acceptable: newer than the last, not in the future, at most an hour old. */
export function isFreshMark(vault: VaultState, asOf: bigint, at: bigint): boolean {
  return asOf > vault.markedAt && asOf <= at && asOf + markMaxAge >= at
}

/**
 * True when a keeper may send marks at all. Before the principal has exceeded the stop line the first mark of a
 * vault still being funded would close it for ever.
 */
export const mayMark = (terms: Pick<Terms, 'stopLine'>, vault: Pick<VaultState, 'principal'>): boolean =>
  vault.principal > terms.stopLine
