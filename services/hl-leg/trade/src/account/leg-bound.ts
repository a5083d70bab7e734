import type { Address } from 'viem'
import type { Context } from '#context.ts'

/**
 * Returns true while a mandate's live leg trades in the account of a wallet: nothing is opened there by hand. An outage
 * if hl-leg does not answer.
 */
export async function isLegBound(
  { leg, settings }: Pick<Context, 'leg' | 'settings'>,
  wallet: Address,
): Promise<boolean> {
  const found = await leg.readLegOfOwner({ network: settings.network, address: wallet.toLowerCase() })
  return found.leg !== null
}
