import type { VaultState } from './state.ts'
import { sameAddress, type Address, type Hex, type Terms } from './terms.ts'
import { vaultError, type VaultError } from './vault-error.ts'

/** A vault as its terms and its factory made it. */
export interface Vault {
  readonly terms: Terms
  readonly address: Address
  readonly factory: Address
  /** The code behind the vaults of the factory. */
  readonly implementation: Address
  /** True for every vault that the factory created, this one among them. */
  readonly isVault: (address: Address) => boolean
  /** The factory's present keeper. */
  readonly keeper: Address
}

/** What a vault stores, and the USDC that its address holds. */
export interface Holdings {
  readonly vault: VaultState
  readonly balance: bigint
}

/** What a target did with the vault's USDC: what it pulled and paid in, or the data it reverted with (256 bytes at most). */
export type TargetEffect = { readonly pulled: bigint; readonly paid: bigint } | { readonly failed: Hex }

interface TargetCall {
  readonly target: Address
  readonly data: Hex
  readonly effect: TargetEffect
}

/** Transactions to a vault, with `transfer` for USDC sent to its address without one. */
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
  /** `amount` is what the vault has of the token; null where the address holds no contract. */
  readonly rescue: { readonly token: Address; readonly amount: bigint | null }
  readonly fundLeg: { readonly amount: bigint }
  readonly onLegReturn: { readonly amount: bigint; readonly last: boolean }
}

/** Who sends a transaction, and the time of its block in Unix seconds. */
interface Sent {
  readonly caller: Address
  readonly at: bigint
}

/** One transaction of this name. */
export type Called<Name extends keyof VaultCalls> = Sent & VaultCalls[Name]

/** Any transaction to a vault. */
export type VaultCall = {
  [Name in keyof VaultCalls]: { readonly name: Name } & Called<Name>
}[keyof VaultCalls]

/** What a call leaves behind and the money it paid out (of `rescue`: of its token), or what it reverted with. */
export type Outcome = (Holdings & { readonly paid: bigint }) | VaultError

/** The outcome of a call that succeeds. */
export const left = (vault: VaultState, balance: bigint, paid = 0n): Outcome => ({ vault, balance, paid })

/** The refusal of anybody but the owner; null for the owner. */
export const ownersOnly = ({ terms }: Vault, { caller }: Sent): VaultError | null =>
  sameAddress(caller, terms.owner) ? null : vaultError('NotOwner', caller)
