import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calibrationOf } from './calibration.ts'
import { labelled, separate } from './measure.ts'
import { perpSample2025, spotSample2022 } from './samples.ts'
import { compositionOf, decilesOf, rulesOf } from './worth.ts'
import { worthModule } from './worth-data.ts'
import { areaUnderCurve } from './statistics.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
const root = join(import.meta.dirname, '../../..')

describe.skipIf(replayDir === '')('the delisting-risk score on the recordings', () => {
  test('separates later delistings: AUC ≥ 0.74 on the 2022 sample and ≥ 0.75 on the 2025 one, permutation p < 0.01', () => {
    const spot = separate(spotSample2022(replayDir))
    const perp = separate(perpSample2025(replayDir))
    for (const { sample, auc, interval, p } of [spot, perp])
      console.log(
        `${sample.title}: AUC ${auc.toFixed(3)}, 95 % ${interval.map((x) => x.toFixed(3)).join(' … ')}, p ${p}`,
      )
    expect([spot.sample.tokens.length, spot.events, perp.events]).toEqual([326, 104, 40])
    expect(spot.auc).toBeGreaterThanOrEqual(0.74)
    expect(perp.auc).toBeGreaterThanOrEqual(0.75)
    for (const { interval, p } of [spot, perp]) {
      expect(interval[0]).toBeGreaterThan(0.6)
      expect(p).toBeLessThan(0.01)
    }
  })

  test('counts lists of regulated venues only if they were recorded before the snapshot, and states who could be delisted', () => {
    const [spot, perp] = [spotSample2022(replayDir), perpSample2025(replayDir)]
    expect(spot.lists.map(({ venue }) => venue).toSorted()).toEqual(['bitstamp', 'coinbase', 'gemini', 'kraken'])
    expect(perp.lists.map(({ venue }) => venue).toSorted()).toEqual(['coinbase', 'kraken'])
    for (const { ageDays } of [...spot.lists, ...perp.lists]) expect(ageDays).toBeGreaterThan(0)
    expect(compositionOf(perp)).toMatchObject({ tokens: 431, spotListed: 305, delistedListed: 40, delistedOthers: 0 })
    const quick = [spot, perp].map((sample) => ({
      sample,
      composition: compositionOf(sample),
      deciles: decilesOf(sample),
      rules: rulesOf(sample),
    }))
    const committed = readFileSync(join(root, 'services/market-data/src/board/rules/delisting-worth-data.ts'), 'utf8')
    expect(worthModule(quick)).toBe(committed)
  })

  test('computes the features and labels of the stored feature table', () => {
    const stored = z
      .array(z.object({ base: z.string(), qv: z.number(), zero: z.number(), amihud: z.number(), y: z.int() }))
      .parse(JSON.parse(readFileSync(join(replayDir, 'derived/features_binance_spot_usdt_20221109.json'), 'utf8')))
    const sample = spotSample2022(replayDir)
    const byBase = new Map(sample.tokens.map((token) => [token.base, token]))
    for (const { base, qv, zero, amihud, y } of stored) {
      const token = byBase.get(base)
      expect((token?.inputs.volume_24h_usd ?? 0) / qv).toBeCloseTo(1, 4)
      expect(token?.inputs.zero_trade_share).toBeCloseTo(zero, 3)
      // The table's unit is a tenth of bps per $1,000.
      expect((token?.inputs.amihud ?? 0) / (amihud * 10)).toBeCloseTo(1, 3)
      expect(token?.daysToAnnouncement !== null, base).toBe(y === 1)
    }
    const shuffled = labelled(sample).map(({ score }, index, all) => ({
      score,
      event: all[(index * 7 + 3) % all.length]?.event ?? false,
    }))
    expect(areaUnderCurve(shuffled)).toBeLessThan(0.6)
  })

  // A minute of computing: the long run compares the whole page, the tests above its input and its verdict.
  test.runIf(process.env['TEST_LONG'] === '1')(
    'the committed calibration page is what these recordings give, byte for byte',
    () => {
      const committed = readFileSync(join(root, 'docs/method/calibration.md'), 'utf8')
      const { page, card } = calibrationOf(replayDir)
      expect(page).toBe(committed)
      expect(card).toBe(readFileSync(join(root, 'docs/method/model-card-delisting.md'), 'utf8'))
    },
  )
})
