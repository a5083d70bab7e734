import { ok } from '@svc/contract'
import { MAIN_CHAIN_IDS } from '@svc/contracts/common/drip-settings'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { liveListings, type ListingType } from '#listings/store/listings.ts'
import { doorsOf } from '../rules/doors.ts'

export const listDoors: BoundHandler<Context, typeof gallery.operations.listDoors> =
  ({ settings, factory, pool }) =>
  async (_, { now }) => {
    const chain = factory === null ? null : MAIN_CHAIN_IDS.has(factory.chainId) ? 'mainnet' : 'testnet'
    const hasLive = async (type: ListingType) => (await liveListings(pool, { type, limit: 1 })).length > 0
    const [hasStrategy, hasSignals] = await Promise.all([hasLive('strategy_template'), hasLive('signal_subscription')])
    const items = doorsOf({
      hasStrategy,
      hasSignals,
      chain,
      legEnabled: settings.hlLegEnabled,
      legNetwork: settings.network,
      hasRunner: settings.houseRunnerId !== null,
      publishes: settings.signalPublishEnabled,
    })
    return ok(200, { computed_at: now.toISOString(), items })
  }
