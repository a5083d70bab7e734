import { storeLegMarkets } from '#limits/store/leg-markets.ts'
import type { LifeRig } from './rigs/life-rig.ts'

/** Switches of a deployment whose vaults fund legs. */
export const legSwitches = { HUB_HL_LEG_ENABLED: '1', HUB_LEG_FUNDING: 'test' } as const

/** Stores a list of the leg's markets, as the job does that follows hl-leg. */
export async function listLegMarkets(
  { pool, clock }: Pick<LifeRig, 'pool' | 'clock'>,
  coins: readonly string[] = ['BTC', 'ETH'],
  seeded = true,
): Promise<void> {
  const items = coins.map((coin) => ({
    market_id: `hl:${coin}`,
    title: `${coin} perpetual`,
    listed: true,
    min_order_usdc: '10',
  }))
  await storeLegMarkets(pool, { seeded, items }, clock.now())
}

/** Members of a body that make it a mandate with a leg only. */
export const legBody = { markets: ['hl:BTC'], hl_leg: true } as const
