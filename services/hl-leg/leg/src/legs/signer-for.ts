import { refuse } from '@svc/contract'
import { legRefusals } from '@svc/contracts/hl-leg/refusals'
import { openLegSigner, type LegSigner } from '@svc/hyperliquid/signing'
import type { Context } from '#context.ts'
import { accountOf } from './leg-keys.ts'
import type { Leg } from './store/legs.ts'

/**
 * Opens the signer of a bound leg. Refuses with `hub_hl_leg_<state>` for any other state, and with `hub_hl_leg_orphaned`
 * unless the seed of this deployment derives the stored address.
 */
export function signerFor(context: Pick<Context, 'seed' | 'settings'>, leg: Leg | null): LegSigner {
  if (leg === null) refuse(legRefusals.none)
  if (leg.state !== 'bound') refuse(legRefusals[leg.state])
  return closingSignerFor(context, leg)
}

/**
 * Opens the signer of a live leg for closes, which are tried in every live state. Refuses only if the key is lost.
 */
export function closingSignerFor({ seed, settings }: Pick<Context, 'seed' | 'settings'>, leg: Leg): LegSigner {
  const account = leg.network === settings.network ? accountOf(seed, leg) : null
  if (account === null) refuse(legRefusals.orphaned)
  return openLegSigner(account, { network: leg.network, owner: leg.owner, dexes: settings.dexes })
}
