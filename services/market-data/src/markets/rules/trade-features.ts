/** One minute of one market: closing price, quote volume in USD and number of trades in it. */
export interface TradeMinute {
  readonly close: number
  readonly quoteVolumeUsd: number
  readonly trades: number
}

export interface TradeFeatures {
  readonly volumeUsd: number
  /** Minutes without a trade ÷ minutes, 0–1. */
  readonly zeroTradeShare: number
  /** Amihud (2002) over minutes: mean |log return| ÷ quote volume, in bps per $1,000; null without a return with volume. */
  readonly amihudBpsPerThousandUsd: number | null
}

const bpsPerThousandUsd = 1e7

/** Returns the liquidity that candles show; null without a minute. */
export function tradeFeatures(minutes: readonly TradeMinute[]): TradeFeatures | null {
  if (minutes.length === 0) return null
  let volumeUsd = 0
  let silent = 0
  let impact = 0
  let returns = 0
  for (const [index, minute] of minutes.entries()) {
    volumeUsd += minute.quoteVolumeUsd
    if (minute.trades === 0) silent += 1
    const before = minutes[index - 1]
    if (before && before.close > 0 && minute.close > 0 && minute.quoteVolumeUsd > 0) {
      impact += Math.abs(Math.log(minute.close / before.close)) / minute.quoteVolumeUsd
      returns += 1
    }
  }
  return {
    volumeUsd,
    zeroTradeShare: silent / minutes.length,
    amihudBpsPerThousandUsd: returns === 0 ? null : (impact / returns) * bpsPerThousandUsd,
  }
}
