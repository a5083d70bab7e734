import {
  BURST_RULE,
  findMicrobursts,
  poissonTail,
  type Capture,
  type Fill,
} from '@svc/market-data/captures/rules/microburst'
import { describe, expect, test } from 'vitest'
import { seededRandom } from './statistics.ts'

const captureMs = 60_000

function poissonCapture(random: () => number, perSecond: number): Capture {
  const fills: Fill[] = []
  for (let at = 0; ;) {
    at += (-Math.log(1 - random()) / perSecond) * 1000
    if (at >= captureMs) return { startMs: 0, endMs: captureMs, fills, books: [] }
    // Large enough that only the statistics of the arrivals decide.
    fills.push({ timeMs: at, side: random() < 0.5 ? 'buy' : 'sell', price: 100, notionalUsd: 1_000_000 })
  }
}

describe('false microbursts', () => {
  const long = process.env['TEST_LONG'] === '1'
  const seed = Number(process.env['TEST_SEED'] ?? 20_221_109)
  const rates = [0.05, 0.2, 0.5, 1, 2, 5, 10]
  const minutes = long ? 30_000 : 6000

  const count = (rule: typeof BURST_RULE, of: number) => {
    const random = seededRandom(seed)
    let bursts = 0
    for (let minute = 0; minute < of; minute += 1)
      bursts += findMicrobursts(poissonCapture(random, rates[minute % rates.length] ?? 1), rule).length
    return bursts
  }

  test('steady streams of 0.05 to 10 orders a second give fewer than one burst per 1,000 minutes, at 95 % confidence', () => {
    const bursts = count(BURST_RULE, minutes)
    // Exact upper bound of a Poisson rate: the largest mean under which so few are still seen in 5 % of the runs.
    let bound = 0
    while (1 - poissonTail(bound, bursts + 1) > 0.05) bound += 0.001
    console.log(
      `${bursts} bursts in ${minutes} capture-minutes, at most ${((bound / minutes) * 1000).toFixed(2)} per 1,000`,
    )
    expect((bound / minutes) * 1000).toBeLessThan(1)
  })

  test('the same streams would fail a rule without the Poisson tail', () => {
    expect(count({ ...BURST_RULE, ordersMin: 3, rateRatioMin: 2, poissonTailMax: 1 }, 600)).toBeGreaterThan(60)
  })
})
