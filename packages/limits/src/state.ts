import { nobody, type Address, type Terms } from './terms.ts'
import { vaultError, type LockReason, type VaultError } from './vault-error.ts'

/** Length of a UTC day, in seconds. Usage is counted by UTC day. */
export const day = 86_400n
/** Greatest age of a mark that the vault accepts, in seconds. */
export const markMaxAge = 3_600n
/** For this long after closing only the keeper may settle, in seconds. */
export const settleGrace = 86_400n
/** For this long after closing an open leg prevents settling, in seconds. */
export const legFallback = 172_800n

/** What a vault stores, in USDC base units and Unix seconds. */
export interface VaultState {
  /** Wallet that may act now; the zero address during a pause and after the owner's stop. */
  readonly agent: Address
  /** Recognised USDC in the vault, free of fee. */
  readonly accounted: bigint
  /** Deposits and recognised direct transfers, at most the budget. */
  readonly principal: bigint
  /** Recognised USDC paid out to the owner. */
  readonly withdrawn: bigint
  /** All fee taken so far, claimed or not. */
  readonly feeTotal: bigint
  /** Fee that was taken and is not yet claimed. */
  readonly feeOwed: bigint
  /** Gross USDC pulled by targets on `usedDay`. */
  readonly usedAmount: bigint
  /** The UTC day (Unix seconds / 86400) that `usedAmount` belongs to. */
  readonly usedDay: bigint
  readonly lastWorth: bigint
  /** Time of the newest mark; zero before the first. */
  readonly markedAt: bigint
  /** 0 not stopped, 1 stopped by the owner, 2 stopped by the stop line. */
  readonly stopReason: 0 | 1 | 2
  /** Zero before the stop. */
  readonly stoppedAt: bigint
  readonly settled: boolean
  /** USDC of the vault that is at the leg; zero without a leg. */
  readonly legOut: bigint
  readonly legOpen: boolean
  readonly legSeq: bigint
  readonly legFunded: bigint
  readonly legReturned: bigint
}

/** Returns the state of a vault that the factory has just created. */
export function newVault(agent: Address): VaultState {
  return {
    agent,
    accounted: 0n,
    principal: 0n,
    withdrawn: 0n,
    feeTotal: 0n,
    feeOwed: 0n,
    usedAmount: 0n,
    usedDay: 0n,
    lastWorth: 0n,
    markedAt: 0n,
    stopReason: 0,
    stoppedAt: 0n,
    settled: false,
    legOut: 0n,
    legOpen: false,
    legSeq: 0n,
    legFunded: 0n,
    legReturned: 0n,
  }
}

/** The contract's `phase()`: 0 working, 1 paused, 2 stopped, 3 ended, 4 settled. */
export type Phase = 0 | 1 | 2 | 3 | 4

/** Returns the phase at a time. The end needs no transaction. A stop takes precedence over the end, settling over both. */
export function phaseAt(terms: Terms, vault: VaultState, at: bigint): Phase {
  if (vault.settled) return 4
  if (vault.stopReason !== 0) return 2
  if (at >= terms.endsAt) return 3
  return vault.agent === nobody ? 1 : 0
}

/** Returns true until the vault is stopped or ends. A paused vault is open. */
export const isOpen = (terms: Terms, vault: VaultState, at: bigint): boolean => phaseAt(terms, vault, at) < 2

/** Returns when the vault closed or will close: at its stop or at its end, whichever comes first. */
export function closesAt(terms: Terms, vault: VaultState): bigint {
  return vault.stopReason !== 0 && vault.stoppedAt < terms.endsAt ? vault.stoppedAt : terms.endsAt
}

/** Returns the contract's `withdrawLock()`. Reason 0 means that the owner may withdraw now. */
export function withdrawLock(
  terms: Terms,
  vault: VaultState,
  at: bigint,
): { readonly reason: 0 | LockReason; readonly until: bigint } {
  if (vault.stopReason !== 0 || vault.settled) return { reason: 0, until: 0n }
  if (at < terms.endsAt) return { reason: 1, until: terms.endsAt }
  const until = terms.endsAt + settleGrace
  return at < until ? { reason: 2, until } : { reason: 0, until: 0n }
}

/** Returns the revert of a closed vault: for the stop if it was stopped, else for the end. Null while the vault is open. */
export function closedRefusal(terms: Terms, vault: VaultState, at: bigint): VaultError | null {
  if (vault.stopReason !== 0) return vaultError('MandateStopped', vault.stopReason)
  return at >= terms.endsAt ? vaultError('MandateEnded', terms.endsAt) : null
}

/** Returns the revert of a closed or paused vault; null while the agent may act. */
export function notWorkingRefusal(terms: Terms, vault: VaultState, at: bigint): VaultError | null {
  return closedRefusal(terms, vault, at) ?? (vault.agent === nobody ? vaultError('MandateStopped', 3) : null)
}
