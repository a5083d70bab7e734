import { chainSettings } from '../common/chain-settings.ts'
import { legSettings } from '../common/leg-settings.ts'

/** Settings of hl-leg. The key of the pool is not among them: keeper signs for the pool. */
export const hlLegSettings = {
  legEnabled: legSettings.legEnabled,
  legFunding: legSettings.legFunding,
  legSeed: legSettings.legSeed,
  chainId: chainSettings.chainId,
  network: legSettings.network,
  venueEgress: legSettings.venueEgress,
  venueWeightMinute: legSettings.venueWeightMinute,
  infoUrl: legSettings.infoUrl,
  exchangeUrl: legSettings.exchangeUrl,
  openNotionalMult: legSettings.openNotionalMult,
  slippagePct: legSettings.slippagePct,
  dexes: legSettings.dexes,
  exitBps: legSettings.exitBps,
  readingMaxAgeSec: legSettings.readingMaxAgeSec,
  legMinUsdc: legSettings.legMinUsdc,
  inflightMaxSec: legSettings.inflightMaxSec,
  unexplainedMaxSec: legSettings.unexplainedMaxSec,
  returnFallbackSec: legSettings.returnFallbackSec,
  poolAddress: legSettings.poolAddress,
  ownerMaxUsdc: legSettings.ownerMaxUsdc,
  lentMaxUsdc: legSettings.lentMaxUsdc,
  stopLineDryRun: legSettings.stopLineDryRun,
  stopLineSec: legSettings.stopLineSec,
  stopLineMax: legSettings.stopLineMax,
  transientPageTicks: legSettings.transientPageTicks,
} as const
