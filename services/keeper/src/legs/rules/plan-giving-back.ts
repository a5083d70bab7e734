/** What the gateway and the pool hold on the chain. Base units of USDC. */
export interface PoolFigures {
  /** Balance of the gateway. */
  readonly held: bigint
  /** What all vaults sent and did not get back. */
  readonly owedToAll: bigint
  /** What this vault sent and did not get back. */
  readonly outstanding: bigint
  /** Balance of the pool's own account. */
  readonly own: bigint
  /** What the gateway may pull from it. */
  readonly allowed: bigint
}

export type GivingBackStep =
  | { readonly do: 'give_back' }
  | { readonly do: 'approve' | 'top_up'; readonly amount: bigint }
  | { readonly do: 'pool_low' }

/**
 * Returns the next step of giving `amount` back to a vault. The gateway pays what the vault sent and free money; a gain above
 * them is topped up by the pool, through an approval of exactly that amount.
 */
export function planGivingBack(amount: bigint, figures: PoolFigures): GivingBackStep {
  const { held, owedToAll, outstanding, own, allowed } = figures
  const free = held > owedToAll ? held - owedToAll : 0n
  const lacking = amount - free - outstanding
  if (lacking <= 0n) return { do: 'give_back' }
  if (own < lacking) return { do: 'pool_low' }
  return { do: allowed === lacking ? 'top_up' : 'approve', amount: lacking }
}
