import type { TradeMinute } from '#markets/rules/trade-features.ts'

/** Volume of a bucket from candles. */
export interface BucketVolume {
  /** Number of minutes that the candles cover. */
  readonly minutes: number
  readonly volumeUsd: number
  readonly zeroTradeShare: number
  /** In quote; null without a trade. */
  readonly vwap: number | null
}

/** Volumes read for the next bucket to store; a new process reads them again. */
export interface BucketReading {
  readonly begin: Date
  readonly of: Map<number, BucketVolume>
  /** Number of failures, by pair. */
  readonly tries: Map<number, number>
}

/** Sums up minutes of a bucket; null without any. */
export function bucketVolume(minutes: readonly TradeMinute[]): BucketVolume | null {
  if (minutes.length === 0) return null
  const volumeUsd = minutes.reduce((sum, one) => sum + one.quoteVolumeUsd, 0)
  const traded = minutes.filter((one) => one.trades > 0 && one.close > 0)
  const amount = traded.reduce((sum, one) => sum + one.quoteVolumeUsd / one.close, 0)
  return {
    minutes: minutes.length,
    volumeUsd,
    zeroTradeShare: (minutes.length - minutes.filter((one) => one.trades > 0).length) / minutes.length,
    vwap: amount === 0 ? null : volumeUsd / amount,
  }
}
