import type { Address, Hex } from './terms.ts'

/** Arguments of each custom error that a vault reverts with, in the order of the ABI. */
export interface VaultErrors {
  readonly TargetNotAllowed: readonly [target: Address, selector: Hex]
  readonly OverPerTxCap: readonly [asked: bigint, cap: bigint]
  readonly OverDailyCap: readonly [asked: bigint, left: bigint]
  readonly MandateStopped: readonly [reason: StopReason]
  readonly MandateEnded: readonly [endsAt: bigint]
  readonly NotOwner: readonly [caller: Address]
  readonly NotAgent: readonly [caller: Address]
  readonly NotKeeper: readonly [caller: Address]
  readonly NotGateway: readonly [caller: Address]
  readonly NotClosed: readonly []
  readonly NotPaused: readonly []
  readonly BadAgent: readonly [agent: Address]
  readonly ZeroAmount: readonly []
  readonly OverBudget: readonly [asked: bigint, room: bigint]
  readonly InsufficientFunds: readonly [asked: bigint, available: bigint]
  readonly SpendMismatch: readonly [pulled: bigint, lost: bigint]
  readonly UnwindSpent: readonly [lost: bigint]
  readonly TargetCallFailed: readonly [target: Address, reason: Hex]
  readonly WithdrawLocked: readonly [reason: LockReason, until: bigint]
  readonly SettleGrace: readonly [until: bigint]
  readonly AlreadySettled: readonly []
  readonly StaleMark: readonly [asOf: bigint]
  readonly BadMark: readonly [worth: bigint, floor: bigint]
  readonly BadToken: readonly [token: Address]
  readonly OverLegBudget: readonly [asked: bigint, room: bigint]
  readonly LegOpen: readonly [out: bigint, until: bigint]
  readonly NoLeg: readonly []
  readonly SafeCastOverflowedUintDowncast: readonly [bits: number, value: bigint]
}

/** Why a vault reverts with MandateStopped: 1 the owner stopped it, 2 the stop line stopped it, 3 it is paused. */
export type StopReason = 1 | 2 | 3
/** Why money cannot be withdrawn: 1 the mandate is open, 2 it has ended and the keeper may still settle it. */
export type LockReason = 1 | 2

/** A revert of the vault: name and arguments of the error. */
export type VaultError = {
  readonly [Name in keyof VaultErrors]: { readonly name: Name; readonly args: VaultErrors[Name] }
}[keyof VaultErrors]

/** Returns a revert with this name and these arguments. */
export function vaultError<Name extends keyof VaultErrors>(name: Name, ...args: VaultErrors[Name]): VaultError {
  return { name, args } as VaultError
}
