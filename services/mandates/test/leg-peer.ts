import { ok } from '@svc/contract'
import { hlLeg } from '@svc/contracts/hl-leg'
import type { LegMarket } from '@svc/contracts/hl-leg/venue'
import { Outage, type AnyHandler, type RunningService } from '@svc/service'
import { type TestStack, startPeer } from '@svc/testing'

/** What hl-leg answers; tests change it. */
export interface LegWorld {
  items: readonly LegMarket[]
  seeded: boolean
  isAway: boolean
  /** Answers for orders that are only estimated; without it hl-leg has none. */
  simulateLegOrder?: AnyHandler
}

/** A market of the venue as hl-leg lists it. */
export const legMarketOf = (coin: string): LegMarket => ({
  market_id: `hl:${coin}`,
  title: `${coin.split(':').at(-1) ?? coin} perpetual`,
  dex: coin.includes(':') ? (coin.split(':')[0] ?? '') : '',
  coin,
  listed: true,
  volume_24h_usdc: '1000000',
  max_leverage: 20,
  min_order_usdc: '10',
  size_decimals: 4,
})

/** hl-leg as its contract says, with the answers of the test. */
export function startLegPeer(stack: TestStack, world: LegWorld): Promise<RunningService> {
  const listLegMarkets: AnyHandler = async () => {
    if (world.isAway) throw new Outage('test', 'hl-leg is away')
    return ok(200, { items: [...world.items], seeded: world.seeded })
  }
  const simulateLegOrder: AnyHandler = async (input, call) => {
    if (world.isAway) throw new Outage('test', 'hl-leg is away')
    if (world.simulateLegOrder === undefined) throw new Error('not part of this test')
    return world.simulateLegOrder(input, call)
  }
  return startPeer(stack, hlLeg, { answers: { listLegMarkets, simulateLegOrder }, emits: true })
}
