import { chainSettings } from '../common/chain-settings.ts'
import { legSettings } from '../common/leg-settings.ts'
import { tradeSettings } from '../common/trade-settings.ts'

/** Settings of hl-trade. The seed of the leg is not among them. */
export const hlTradeSettings = {
  network: tradeSettings.tradeNetwork,
  liveTrading: tradeSettings.liveTrading,
  tradeSeed: tradeSettings.tradeSeed,
  builderAddress: tradeSettings.builderAddress,
  orderCapUsdc: tradeSettings.orderCapUsdc,
  orderDailyCapUsdc: tradeSettings.orderDailyCapUsdc,
  orderCapMaxUsdc: tradeSettings.orderCapMaxUsdc,
  openNotionalMult: legSettings.openNotionalMult,
  slippagePct: legSettings.slippagePct,
  dexes: legSettings.dexes,
  readingMaxAgeSec: legSettings.readingMaxAgeSec,
  chainId: chainSettings.chainId,
  venueEgress: legSettings.venueEgress,
  infoUrl: legSettings.infoUrl,
  exchangeUrl: legSettings.exchangeUrl,
} as const
