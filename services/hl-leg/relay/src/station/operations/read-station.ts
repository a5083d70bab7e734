import { ok } from '@svc/contract'
import { mayDripOn } from '@svc/contracts/common/drip-settings'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { isOutage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { LISTED, readDexMarkets } from '#markets/read-markets.ts'
import { labelsOf } from '../rules/labels.ts'

export const readStation: BoundHandler<Context, typeof hlRelay.operations.readStation> =
  (context) =>
  async (_, { now }) => {
    const { settings, venue } = context
    const { chainId, dripEnabled, dripTestChains } = settings
    const station = {
      liveTrading: settings.liveTrading,
      hlLeg: settings.legEnabled,
      legFunding: settings.legEnabled && settings.legFunding === 'test',
      relayOk: await answersNow(context),
      gasDrip: dripEnabled && (chainId === null || mayDripOn(chainId, dripTestChains)),
      signals: settings.signalPublishEnabled,
      houseRunner: settings.houseRunnerId !== null,
      network: venue.network,
      madeUp: venue.madeUp,
    }
    return ok(200, {
      computed_at: now.toISOString(),
      live_trading: station.liveTrading,
      paper_trading: true,
      hl_leg: station.hlLeg,
      leg_funding: station.legFunding,
      relay_ok: station.relayOk,
      gas_drip: station.gasDrip,
      signals: station.signals,
      network: station.network,
      made_up: station.madeUp,
      chain_id: chainId,
      labels: labelsOf(station),
    })
  }

/** True if the markets of the main dex are no older than usual; they are read again once a minute at most. */
async function answersNow(context: Context): Promise<boolean> {
  try {
    const markets = await readDexMarkets(context, LISTED, '')
    return markets !== null && !markets.stale
  } catch (error) {
    if (isOutage(error)) return false
    throw error
  }
}
