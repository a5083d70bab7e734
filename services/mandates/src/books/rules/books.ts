import { foldEvent, newVault, type Address, type VaultEvent, type VaultState } from '@svc/limits'

/** Returns the books of a vault after one more event. chain-indexer reports events that contradict the books. */
export const afterFact = (vault: VaultState, fact: VaultEvent): VaultState => foldEvent(vault, fact).vault

/** Returns the books of a vault from all its events, in chain order. */
export function booksOf(agent: string, facts: readonly VaultEvent[]): VaultState {
  return facts.reduce(afterFact, newVault(agent as Address))
}

/**
 * Returns how much the withdrawals selected by `counts` paid beyond the books: USDC sent to the vault that the books never
 * recognised. `facts` must be all facts of the vault, in chain order.
 */
export function paidBeyondBooks<T extends VaultEvent>(
  agent: string,
  facts: readonly T[],
  counts: (fact: T) => boolean,
): bigint {
  let vault = newVault(agent as Address)
  let beyond = 0n
  for (const fact of facts) {
    const after = afterFact(vault, fact)
    if (fact.name === 'Withdrawn' && counts(fact))
      beyond += BigInt(String(fact.args['amount'])) - (after.withdrawn - vault.withdrawn)
    vault = after
  }
  return beyond
}
