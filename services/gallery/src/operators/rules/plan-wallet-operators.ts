/** An operator that a list of wallets made. */
export interface WalletOperator {
  readonly id: string
  readonly agent_id: number
  readonly ended_at: string | null
  /** Admin who ended it; null if it is live, or if it ended because its wallet left the list. */
  readonly ended_by: number | null
}

/**
 * Returns the agents that become operators because their wallet is listed, and the operators whose wallet is no longer.
 * Whoever an admin ended stays ended while its wallet is listed.
 */
export function planWalletOperators<Agent extends { readonly agent_id: number }>(
  listed: readonly Agent[],
  known: readonly WalletOperator[],
): { readonly add: readonly Agent[]; readonly end: readonly WalletOperator[] } {
  const kept = new Set(
    known.filter(({ ended_at, ended_by }) => ended_at === null || ended_by !== null).map(({ agent_id }) => agent_id),
  )
  const ids = new Set(listed.map(({ agent_id }) => agent_id))
  return {
    add: listed.filter(({ agent_id }) => !kept.has(agent_id)),
    end: known.filter(({ agent_id, ended_at }) => ended_at === null && !ids.has(agent_id)),
  }
}
