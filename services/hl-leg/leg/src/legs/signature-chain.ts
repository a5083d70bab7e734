import type { LegMandate } from '@svc/contracts/mandates/leg'
import type { Context } from '#context.ts'
import { ANY_CHAIN } from '@svc/venue/wallet-action'

/** Returns the chain that the owner's wallet is on, so that it need not switch: that of the vault, or of this deployment. */
export const signatureChainOf = ({ settings }: Pick<Context, 'settings'>, mandate: LegMandate): number =>
  mandate.vault?.chain_id ?? settings.chainId ?? ANY_CHAIN
