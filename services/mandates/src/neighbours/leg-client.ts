import { hlLeg } from '@svc/contracts/hl-leg'
import type { LegEstimate } from '@svc/contracts/hl-leg/orders'
import type { LegMarket } from '@svc/contracts/hl-leg/venue'
import type { LegOrderRequest } from '@svc/contracts/mandates/approvals'
import { clientOf, RemoteRefusal, type Bus } from '@svc/service'
import { orNull } from './or-null.ts'

/** Questions answered by hl-leg. */
export interface LegClient {
  /** Returns the markets of the venue, and whether hl-leg has the seed of its keys; null during an outage. */
  listMarkets(): Promise<{ readonly items: readonly LegMarket[]; readonly seeded: boolean } | null>
  /** Returns what an order would do at the venue now, or why hl-leg cannot say. */
  simulateOrder(publicId: string, order: LegOrderRequest): Promise<Simulated>
}

/** Exactly one of both is set. */
export interface Simulated {
  readonly estimate: LegEstimate | null
  readonly missing: { readonly code: string; readonly detail: string } | null
}

const AWAY = { code: 'temporarily_unavailable', detail: 'The leg did not answer in time: ask again in a few seconds.' }

/** Creates the client of hl-leg. Sends no request. */
export function openLegClient(bus: Bus): LegClient {
  const leg = clientOf(bus, 'mandates', hlLeg)
  return {
    listMarkets: () => orNull(leg.listLegMarkets({})),
    simulateOrder: async (publicId, { market, side, amount_usdc, size, max_slippage }) => {
      try {
        const estimate = await orNull(
          leg.simulateLegOrder({
            public_id: publicId,
            market,
            side,
            ...(amount_usdc === null ? {} : { amount_usdc }),
            ...(size === null ? {} : { size }),
            ...(max_slippage === null ? {} : { max_slippage }),
          }),
        )
        return { estimate, missing: estimate === null ? AWAY : null }
      } catch (error) {
        if (!(error instanceof RemoteRefusal)) throw error
        return { estimate: null, missing: { code: error.body.code, detail: error.body.detail ?? error.body.title } }
      }
    },
  }
}
