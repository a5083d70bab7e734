import { refuse } from '@svc/contract'
import { nothingToReturn } from '@svc/contracts/hl-leg/money'
import type { Context } from '#context.ts'

/**
 * Refuses with `hub_leg_nothing_to_return` if the leg of a vault has ended on the chain: the vault credits nothing any more.
 * Rejects with an outage while the chain cannot be read.
 */
export async function requireOpenOnChain({ chain }: Pick<Context, 'chain'>, vault: string): Promise<void> {
  const { open } = await chain.readVaultLeg({ vault: vault as `0x${string}` })
  if (!open) refuse(nothingToReturn)
}
