import { foldEvent, newVault, type Address, type VaultEvent, type VaultState } from '@svc/limits'

/** The books of a vault after one more event. What an event contradicts is said by chain-indexer. */
export const afterFact = (vault: VaultState, fact: VaultEvent): VaultState => foldEvent(vault, fact).vault

/** The books of a vault from all its events, in the order of the chain. */
export function booksOf(agent: string, facts: readonly VaultEvent[]): VaultState {
  return facts.reduce(afterFact, newVault(agent as Address))
}

/**
 * What those withdrawals paid that `counts` names, beyond the books: transfers to the vault that these never took up. The
 * facts are all of the vault, in the order of the chain.
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
