import { legSettings } from '../common/leg-settings.ts'
import { tradeSettings } from '../common/trade-settings.ts'

/** Settings of hl-relay. It has no secret besides its connection. */
export const hlRelaySettings = {
  network: tradeSettings.tradeNetwork,
  venueEgress: legSettings.venueEgress,
  infoUrl: legSettings.infoUrl,
  exchangeUrl: legSettings.exchangeUrl,
} as const
