import { expect, test } from 'vitest'
import { tradeFeatures } from './trade-features.ts'

test('candle liquidity counts silent minutes and divides absolute returns by traded dollars', () => {
  const minutes = [
    { close: 100, quoteVolumeUsd: 500, trades: 1 },
    { close: 101, quoteVolumeUsd: 1000, trades: 2 },
    { close: 101, quoteVolumeUsd: 0, trades: 0 },
    { close: 100, quoteVolumeUsd: 2000, trades: 4 },
  ]
  const features = tradeFeatures(minutes)
  expect(features).toMatchObject({ volumeUsd: 3500, zeroTradeShare: 0.25 })
  const oneReturn = Math.log(1.01) * 10_000
  expect(features?.amihudBpsPerThousandUsd).toBeCloseTo((oneReturn / 1 + oneReturn / 2) / 2, 9)
})

test('features are null without a minute, and Amihud is null without a return with volume', () => {
  expect(tradeFeatures([])).toBe(null)
  expect(tradeFeatures([{ close: 1, quoteVolumeUsd: 5, trades: 1 }])?.amihudBpsPerThousandUsd).toBe(null)
})
