import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELISTED_MIN, perPairsWeek, scorePairs, type RankedPair } from './score-pairs.ts'

const pair = (rank: number, delisted = false): RankedPair => ({ rank, delisted })

test('a perfect order is 1, the reverse 0, and equal ranks are a coin', () => {
  const of = (rankOfDelisted: number) => [
    ...Array.from({ length: 20 }, () => pair(50)),
    ...Array.from({ length: 5 }, () => pair(rankOfDelisted, true)),
  ]
  expect(scorePairs(of(90)).auc).toBe(1)
  expect(scorePairs(of(10)).auc).toBe(0)
  expect(scorePairs(of(50)).auc).toBe(0.5)
})

test('no rate is stated of few delisted pairs, of pairs that were all delisted, or of none', () => {
  expect(scorePairs([pair(1), ...Array.from({ length: DELISTED_MIN - 1 }, () => pair(9, true))]).auc).toBeNull()
  expect(scorePairs(Array.from({ length: 9 }, () => pair(9, true))).auc).toBeNull()
  expect(scorePairs([])).toEqual({ pairs: 0, delisted: 0, auc: null, top: { pairs: 0, delisted: 0 } })
})

test('the highest tenth includes pairs of an equal rank', () => {
  const given = [pair(99, true), pair(90), pair(90, true), ...Array.from({ length: 17 }, (_, rank) => pair(rank))]
  expect(scorePairs(given).top).toEqual({ pairs: 3, delisted: 2 })
})

test('agrees with counting every pair of a delisted and another one', () => {
  const one = fc.record({ rank: fc.integer({ min: 0, max: 12 }), delisted: fc.boolean() })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), (given) => {
      const [out, stayed] = [given.filter((each) => each.delisted), given.filter((each) => !each.delisted)]
      const won = out.flatMap((a) => stayed.map((b) => (a.rank > b.rank ? 1 : a.rank === b.rank ? 0.5 : 0)))
      const mean = won.reduce<number>((sum, each) => sum + each, 0) / won.length
      const { auc } = scorePairs(given)
      if (out.length < DELISTED_MIN || stayed.length === 0) expect(auc).toBeNull()
      else expect(auc).toBeCloseTo(mean, 12)
    }),
  )
})

test('episodes are counted per 100 pairs and week', () => {
  expect(perPairsWeek({ episodes: 3, pairs: 200, days: 14 })).toBe(0.75)
  expect(perPairsWeek({ episodes: 0, pairs: 0, days: 3 })).toBeNull()
})
