import type { VaultState } from './state.ts'
import { sameAddress, type Address, type Hex, type Terms } from './terms.ts'
import { vaultError, type VaultError } from './vault-error.ts'

/** A vault: what its terms and its factory fixed at creation. */
export interface Vault {
  readonly terms: Terms
  readonly address: Address
  readonly factory: Address
  /** The code behind the vaults of the factory. */
  readonly implementation: Address
  /** Returns true for every vault that the factory created, including this one. */
  readonly isVault: (address: Address) => boolean
  /** The factory's present keeper. */
  readonly keeper: Address
}

/** What a vault stores, and the USDC balance of its address. */
export interface Holdings {
  readonly vault: VaultState
  readonly balance: bigint
}

/** What a target did: the USDC that it pulled from and paid into the vault, or the data that it reverted with (at most 256 bytes). */
export type TargetEffect = { readonly pulled: bigint; readonly paid: bigint } | { readonly failed: Hex }

interface TargetCall {
  readonly target: Address
  readonly data: Hex
  readonly effect: TargetEffect
}

/** Transactions to a vault. `transfer` is USDC that is sent to the address without a call of the vault. */
interface VaultCalls {
  readonly transfer: { readonly amount: bigint }
  readonly deposit: { readonly amount: bigint }
  readonly execute: TargetCall & { readonly amount: bigint }
  readonly unwind: TargetCall
  readonly revokeAgent: object
  readonly setAgent: { readonly agent: Address }
  readonly stop: object
  readonly markWorth: { readonly worth: bigint; readonly asOf: bigint }
  readonly settle: object
  readonly withdrawAll: object
  readonly claimFee: object
  /** `amount` is the vault's balance of the token; null if the address has no contract. */
  readonly rescue: { readonly token: Address; readonly amount: bigint | null }
  readonly fundLeg: { readonly amount: bigint }
  readonly onLegReturn: { readonly amount: bigint; readonly last: boolean }
}

/** Sender of a transaction, and the time of its block in Unix seconds. */
interface Sent {
  readonly caller: Address
  readonly at: bigint
}

/** A transaction of this name. */
export type Called<Name extends keyof VaultCalls> = Sent & VaultCalls[Name]

/** A transaction to a vault. */
export type VaultCall = {
  [Name in keyof VaultCalls]: { readonly name: Name } & Called<Name>
}[keyof VaultCalls]

/** State after a call with the amount that it paid out (for `rescue` in the rescued token), or the revert. */
export type Outcome = (Holdings & { readonly paid: bigint }) | VaultError

/** Returns the outcome of a call that succeeds. */
export const left = (vault: VaultState, balance: bigint, paid = 0n): Outcome => ({ vault, balance, paid })

/** Returns the revert for any caller but the owner; null for the owner. */
export const ownersOnly = ({ terms }: Vault, { caller }: Sent): VaultError | null =>
  sameAddress(caller, terms.owner) ? null : vaultError('NotOwner', caller)
