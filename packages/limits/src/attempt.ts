import { recognise, usageAt } from './ledger.ts'
import { notWorkingRefusal, type VaultState } from './state.ts'
import { isAllowed, sameAddress, selectorOf, type Address, type Hex, type Terms } from './terms.ts'
import { vaultError, type VaultError } from './vault-error.ts'

/** A call of `execute` that the agent intends to send. */
export interface Attempt {
  /** Wallet that would send the call. */
  readonly caller: Address
  readonly target: Address
  readonly data: Hex
  /** The most that the target may pull: `approveAmount`, in USDC base units. */
  readonly amount: bigint
  /** Unix seconds. */
  readonly at: bigint
}

/**
 * Returns what `execute` reverts with before it calls the target, in the vault's order of checks; null if it would
 * call the target. The state is checked before the caller, so that an agent that a stop has revoked learns of the stop.
 */
export function revertBeforeCall(
  terms: Terms,
  vault: VaultState,
  balance: bigint,
  { caller, target, data, amount, at }: Attempt,
): VaultError | null {
  const refused = notWorkingRefusal(terms, vault, at)
  if (refused !== null) return refused
  if (!sameAddress(caller, vault.agent)) return vaultError('NotAgent', caller)
  const { selector, complete } = selectorOf(data)
  if (!complete || !isAllowed(terms, target, selector)) return vaultError('TargetNotAllowed', target, selector)
  if (amount > terms.perTxCap) return vaultError('OverPerTxCap', amount, terms.perTxCap)
  const { left } = usageAt(terms, vault, at)
  if (amount > left) return vaultError('OverDailyCap', amount, left)
  const available = recognise(terms, vault, balance, at).accounted
  if (amount > available) return vaultError('InsufficientFunds', amount, available)
  return null
}
