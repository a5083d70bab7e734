import { legSettings } from '../common/leg-settings.ts'
import { tradeSettings } from '../common/trade-settings.ts'

/** Settings of hl-trade. The seed of the leg is not among them. */
export const hlTradeSettings = {
  network: tradeSettings.tradeNetwork,
  tradeSeed: tradeSettings.tradeSeed,
  venueEgress: legSettings.venueEgress,
  infoUrl: legSettings.infoUrl,
  exchangeUrl: legSettings.exchangeUrl,
} as const
