import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { equalWeights, logistic, monotoneBoosting } from './models.ts'
import {
  areaUnderCurve,
  bootstrapInterval,
  brier,
  fitIsotonic,
  isotonicShare,
  median,
  permutationP,
  seededRandom,
  shareInterval,
  type Labelled,
} from './statistics.ts'

const points = fc
  .array(fc.record({ score: fc.integer({ min: 0, max: 12 }), event: fc.boolean() }), { minLength: 2, maxLength: 40 })
  .filter((all) => all.some(({ event }) => event) && all.some(({ event }) => !event))

describe('statistics of the calibration', () => {
  test('the AUC is the share of event and non-event pairs in the right order, ties half', () => {
    fc.assert(
      fc.property(points, (all) => {
        let [right, pairs] = [0, 0]
        for (const a of all.filter(({ event }) => event)) {
          for (const b of all.filter(({ event }) => !event)) {
            pairs += 1
            right += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0
          }
        }
        expect(areaUnderCurve(all)).toBeCloseTo(right / pairs, 9)
      }),
    )
  })

  test('the isotonic fit never falls, keeps the mean, and no other non-decreasing fit on the scores has less error', () => {
    fc.assert(
      fc.property(
        points,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 13, maxLength: 13 }),
        (all, other) => {
          const steps = fitIsotonic(all)
          for (const [index, { share }] of steps.entries()) expect(share).toBeGreaterThan(steps[index - 1]?.share ?? -1)
          const fitted = all.map(({ score, event }) => ({ event, forecast: isotonicShare(steps, score) }))
          const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
          expect(mean(fitted.map(({ forecast }) => forecast))).toBeCloseTo(
            mean(all.map(({ event }) => (event ? 1 : 0))),
            9,
          )
          const rising = other.toSorted((a, b) => a - b)
          const rival = all.map(({ score, event }) => ({ event, forecast: rising[score] ?? 0 }))
          expect(brier(fitted)).toBeLessThanOrEqual(brier(rival) + 1e-12)
        },
      ),
    )
  })

  test('of 40 samples without a relation few are called significant, and the interval holds one half in most', () => {
    const random = seededRandom(7)
    const quiet = Array.from({ length: 40 }, () => {
      const noise = Array.from({ length: 120 }, (): Labelled => ({ score: random(), event: random() < 0.3 }))
      const [low, high] = bootstrapInterval(noise, areaUnderCurve, { rounds: 200 })
      return { p: permutationP(noise, { rounds: 199 }), holds: low < 0.5 && high > 0.5 }
    })
    // Two are expected of each; more than seven would be one chance in a thousand.
    expect(quiet.filter(({ p }) => p <= 0.05).length).toBeLessThanOrEqual(7)
    expect(quiet.filter(({ holds }) => !holds).length).toBeLessThanOrEqual(7)
  })

  test('a planted difference is significant', () => {
    const random = seededRandom(8)
    const planted = Array.from({ length: 200 }, (): Labelled => {
      const event = random() < 0.2
      return { event, score: random() + (event ? 0.4 : 0) }
    })
    expect(permutationP(planted, { rounds: 300 })).toBeLessThan(0.01)
    expect(bootstrapInterval(planted, areaUnderCurve, { rounds: 300 })[0]).toBeGreaterThan(0.6)
  })

  test('the median of nothing is unknown', () => {
    expect(median([])).toBe(null)
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })
})

describe('rival models', () => {
  const random = seededRandom(11)
  const rows = Array.from({ length: 600 }, () => [random(), random(), random()])
  const drawn = rows.map((row) => random() < 1 / (1 + Math.exp(-(6 * (row[0] ?? 0) - 4))))
  const interaction = rows.map((row) => (row[0] ?? 0) > 0.6 && (row[1] ?? 0) > 0.6)
  const auc = (score: (row: readonly number[]) => number, events: readonly boolean[]) =>
    areaUnderCurve(rows.slice(300).map((row, index) => ({ score: score(row), event: events[index + 300] ?? false })))

  test('each learner finds a planted effect of one feature that equal weights dilute', () => {
    const even = auc(equalWeights([], []), drawn)
    for (const learner of [logistic, monotoneBoosting])
      expect(auc(learner(rows.slice(0, 300), drawn.slice(0, 300)), drawn)).toBeGreaterThan(even + 0.05)
  })

  test('boosted trees find an interaction and never fall when a rank rises', () => {
    const score = monotoneBoosting(rows.slice(0, 300), interaction.slice(0, 300))
    expect(auc(score, interaction)).toBeGreaterThan(0.97)
    for (const row of rows.slice(0, 100)) {
      const [a = 0, b = 0, c = 0] = row
      expect(score([Math.min(1, a + 0.2), b, c])).toBeGreaterThanOrEqual(score(row) - 1e-12)
    }
  })

  test('the interval of a share holds the share, narrows with more cases, and has the values of Wilson', () => {
    expect(shareInterval(0, 0)).toEqual([0, 1])
    const [low, high] = shareInterval(8, 16)
    expect([low, high].map((x) => x.toFixed(3))).toEqual(['0.280', '0.720'])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (n, drawn) => {
        const events = drawn % (n + 1)
        const [from, to] = shareInterval(events, n)
        expect(from).toBeLessThanOrEqual(events / n + 1e-12)
        expect(to).toBeGreaterThanOrEqual(events / n - 1e-12)
        const [more, less] = shareInterval(events * 10, n * 10)
        expect(less - more).toBeLessThan(to - from)
      }),
    )
  })
})
