/** An EVM address as 0x and 40 hex digits. Compared without regard to letter case. */
export type Address = `0x${string}`
/** Bytes as 0x and hex digits. */
export type Hex = `0x${string}`

/** The zero address: as `agent` of a vault it means that nobody may act. */
export const nobody: Address = '0x0000000000000000000000000000000000000000'

/** `approvalAbove` in the signed terms when nothing is held: 2^128 - 1. */
export const NOTHING_HELD = (1n << 128n) - 1n

/** One function of one contract that the agent may call through the vault. */
export interface AllowedCall {
  readonly target: Address
  /** Four bytes. */
  readonly selector: Hex
}

/** What the owner signed and the vault pinned. Amounts are USDC base units (6 decimals), times Unix seconds. */
export interface Terms {
  readonly owner: Address
  /** The agent at creation; the vault's present one is `VaultState.agent`. */
  readonly agent: Address
  readonly feeRecipient: Address
  readonly usdc: Address
  /** The zero address for a vault without a leg. */
  readonly legGateway: Address
  readonly budget: bigint
  readonly perTxCap: bigint
  readonly dailyCap: bigint
  /** The guard holds spending above it; null holds nothing (`NOTHING_HELD` in the signed terms). */
  readonly approvalAbove: bigint | null
  /** Zero switches the stop line off. */
  readonly stopLine: bigint
  /** Zero for a vault without a leg. */
  readonly legBudget: bigint
  /** The first second at which the agent may no longer act. */
  readonly endsAt: bigint
  /** The agent's share of the profit, in basis points. */
  readonly feeBps: bigint
  readonly calls: readonly AllowedCall[]
}

/** True when both are the same address. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/**
 * The selector the vault reads from calldata: the first four bytes. Calldata of fewer than four bytes has none;
 * it never matches, and the vault's error shows its bytes padded with zeros on the right.
 */
export function selectorOf(data: Hex): { readonly selector: Hex; readonly complete: boolean } {
  return { selector: `0x${data.slice(2, 10).padEnd(8, '0').toLowerCase()}`, complete: data.length >= 10 }
}

/** True when the terms list this function of this target. */
export function isAllowed(terms: Terms, target: Address, selector: Hex): boolean {
  return terms.calls.some((call) => sameAddress(call.target, target) && sameAddress(call.selector, selector))
}

/** True when the terms list any function of this target. */
export function isListedTarget(terms: Terms, target: Address): boolean {
  return terms.calls.some((call) => sameAddress(call.target, target))
}
