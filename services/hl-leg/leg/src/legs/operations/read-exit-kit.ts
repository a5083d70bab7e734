import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { legRefusals } from '@svc/contracts/hl-leg/refusals'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { storedReading } from '#readings/store/readings.ts'
import { exitSteps } from '../exit-steps.ts'
import { mandateOfCaller } from '../require-leg.ts'
import { readLeg } from '../store/legs.ts'
import { signatureChainOf } from '../signature-chain.ts'

/** The venue's own apps, by network. */
const APPS = { mainnet: 'https://app.hyperliquid.xyz', testnet: 'https://app.hyperliquid-testnet.xyz' } as const

export const readExitKit: BoundHandler<Context, typeof hlLeg.operations.readExitKit> =
  (context) => async (input, call) => {
    const { pool, venue, settings } = context
    const mandate = await mandateOfCaller(context, input.public_id, call)
    const leg = await readLeg(pool, mandate.public_id)
    if (leg === null) refuse(legRefusals.none)
    const reading = await storedReading(pool, leg.publicId)
    const signatureChainId = signatureChainOf(context, mandate)
    return ok(200, {
      public_id: mandate.public_id,
      network: leg.network,
      owner_address: getAddress(leg.owner),
      agent_address: leg.agent === null ? null : getAddress(leg.agent),
      post_to: venue.urls.exchange,
      app_url: APPS[leg.network],
      written_at: call.now.toISOString(),
      steps: exitSteps({
        network: leg.network,
        signatureChainId,
        positions: reading?.positions ?? [],
        pool: settings.legFunding === 'off' ? null : settings.poolAddress,
        vault: mandate.vault === null ? null : { address: mandate.vault.address, chainId: mandate.vault.chain_id },
      }),
    })
  }
