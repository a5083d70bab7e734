import type { Figures } from './limit-fields.ts'

/** An EVM address: 0x and 40 hex digits. Letter case is ignored in comparisons. */
export type Address = `0x${string}`
/** Bytes: 0x and hex digits. */
export type Hex = `0x${string}`

/** The zero address. As `agent` of a vault it means that nobody may act. */
export const nobody: Address = '0x0000000000000000000000000000000000000000'

/** `approvalAbove` in signed terms if no call needs an approval: 2^128 - 1. */
export const NOTHING_HELD = (1n << 128n) - 1n

/** A function of a contract that the agent may call through the vault. */
export interface AllowedCall {
  readonly target: Address
  /** Four bytes. */
  readonly selector: Hex
}

/**
 * Terms that the owner signed and the vault enforces. Amounts are USDC base units (6 decimals), times Unix seconds.
 * `approvalAbove` null is `NOTHING_HELD` in signed terms, `stopLine` zero is off, `endsAt` is the first second at which
 * the agent may no longer act.
 */
export interface Terms extends Figures {
  readonly owner: Address
  /** The agent at creation. `VaultState.agent` is the present one. */
  readonly agent: Address
  readonly feeRecipient: Address
  readonly usdc: Address
  /** The zero address for a vault without a leg. */
  readonly legGateway: Address
  /** Zero for a vault without a leg. */
  readonly legBudget: bigint
  readonly calls: readonly AllowedCall[]
}

/** Returns true if both texts are the same address. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/**
 * Returns the selector that the vault reads from calldata: its first four bytes, in lower case. Calldata of fewer than
 * four bytes is not `complete` and matches no allowed call; the vault's error shows it padded with zeros on the right.
 */
export function selectorOf(data: Hex): { readonly selector: Hex; readonly complete: boolean } {
  return { selector: `0x${data.slice(2, 10).padEnd(8, '0').toLowerCase()}`, complete: data.length >= 10 }
}

/** Returns true if the terms list this function of this target. */
export function isAllowed(terms: Terms, target: Address, selector: Hex): boolean {
  return terms.calls.some((call) => sameAddress(call.target, target) && sameAddress(call.selector, selector))
}

/** Returns true if the terms list any function of this target. */
export function isListedTarget(terms: Terms, target: Address): boolean {
  return terms.calls.some((call) => sameAddress(call.target, target))
}
