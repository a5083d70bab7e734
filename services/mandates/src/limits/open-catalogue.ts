import type { SettingsOf } from '@svc/contract'
import type { Market } from '@svc/contracts/mandates/limits'
import type { mandatesSettings } from '@svc/contracts/mandates/settings'
import type { Pool } from '@svc/postgres'
import type { Deployment } from '#neighbours/deployment.ts'
import { marketsOf } from './market-catalogue.ts'
import { newestLegMarkets, type LegMarketList } from './store/leg-markets.ts'

/** The markets that mandates may name. */
export interface Catalogue {
  /** Returns the markets with their status at a time. Reads stored rows alone and never waits for hl-leg. */
  marketsAt(now: Date): Promise<readonly Market[]>
}

/** Opens the catalogue; reads nothing yet. */
export function openCatalogue(
  pool: Pool,
  deployment: Deployment,
  settings: SettingsOf<typeof mandatesSettings>,
): Catalogue {
  let known: LegMarketList | null = null
  return {
    marketsAt: async (now) => {
      known = await newestLegMarkets(pool, known)
      return marketsOf(deployment, { list: known, enabled: settings.hlLegEnabled, network: settings.network, now })
    },
  }
}
