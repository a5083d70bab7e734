import { delistingWorth } from '@svc/contracts/market-data/delisting-worth'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  crisisFloor,
  flagFloor,
  RISK_MODEL_VERSION,
  type RiskInputs,
  type RiskSubject,
} from './delisting-risk-model.ts'
import { rankDelistingRisk } from './delisting-risk.ts'
import { pastWorth, worthOf } from './delisting-worth.ts'

const inputs = (index: number): RiskInputs => ({
  volume_24h_usd: index,
  zero_trade_share: 0.1,
  amihud: 1,
  depth_2pct_usd: 1,
  spread_bps: 1,
  quote_markets: 1,
  regulated_venues: 0,
})
const subjects = (floors: RiskSubject['floors']) =>
  Array.from({ length: 120 }, (_, index) => ({ id: `t${index}`, group: 'a', inputs: inputs(index), floors }))

test('the base rates are those of the present model, and each interval holds its share', () => {
  const worth = pastWorth()
  expect(delistingWorth.parse(worth)).toEqual(worth)
  expect(worth?.model_version).toBe(RISK_MODEL_VERSION)
  expect(worth?.bands.map(({ from_score, to_score }) => [from_score, to_score])).toEqual(
    Array.from({ length: 10 }, (_, place) => [place * 10, place * 10 + 9]),
  )
  const rates = [...(worth?.bands ?? []).flatMap((band) => band.rates), ...(worth?.at_risk ?? [])]
  expect(rates).toHaveLength(66)
  for (const { n, delisted, low, high } of rates) {
    expect(delisted).toBeLessThanOrEqual(n)
    if (n === 0) expect([low, high]).toEqual([0, 1])
    else expect(delisted / n >= low - 1e-4 && delisted / n <= high + 1e-4).toBe(true)
  }
})

test('every rank has one band, and a flag or a crisis does not move it', () => {
  const [calm, flagged] = [
    rankDelistingRisk(subjects([])),
    rankDelistingRisk(subjects([flagFloor('warning'), crisisFloor(3)])),
  ]
  fc.assert(
    fc.property(fc.nat(119), (index) => {
      const [own, raised] = [calm[index], flagged[index]]
      if (own === undefined || raised === undefined) throw new Error('no score')
      const worth = worthOf(own)
      expect(worth?.rank).toBe(own.score)
      expect(worth?.bands).toHaveLength(1)
      expect(Math.floor((own.score ?? 0) / 10) * 10).toBe(worth?.bands[0]?.from_score)
      expect(worthOf(raised)).toEqual(worth)
    }),
  )
})

test('without a rank there is no worth', () => {
  expect(worthOf(null)).toBeNull()
  const [few] = rankDelistingRisk(subjects([flagFloor('caution')]).slice(0, 5))
  expect(few?.score).toBe(60)
  expect(worthOf(few ?? null)).toBeNull()
})
