import { chainSettings } from '../common/chain-settings.ts'
import { dripSettings } from '../common/drip-settings.ts'
import { legSettings } from '../common/leg-settings.ts'
import { tradeSettings } from '../common/trade-settings.ts'
import { gallerySettings } from '../gallery/settings.ts'

/** Settings of hl-relay. It has no secret besides its connection. */
export const hlRelaySettings = {
  network: tradeSettings.tradeNetwork,
  venueEgress: legSettings.venueEgress,
  infoUrl: legSettings.infoUrl,
  exchangeUrl: legSettings.exchangeUrl,
  dexes: legSettings.dexes,
  liveTrading: tradeSettings.liveTrading,
  legEnabled: legSettings.legEnabled,
  legFunding: legSettings.legFunding,
  builderAddress: tradeSettings.builderAddress,
  chainId: chainSettings.chainId,
  dripEnabled: dripSettings.dripEnabled,
  dripTestChains: dripSettings.dripTestChains,
  signalPublishEnabled: gallerySettings.signalPublishEnabled,
  houseRunnerId: gallerySettings.houseRunnerId,
} as const
