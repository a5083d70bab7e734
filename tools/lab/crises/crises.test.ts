import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CRISIS_RULES } from '@svc/market-data/crisis/rules/crisis-rules'
import { describe, expect, test } from 'vitest'
import { judge } from './measure.ts'
import { crisisPage, falseAlarms } from './page.ts'
import { poissonInterval } from './poisson.ts'
import { replaysOf } from './replays.ts'

test('the interval of a Poisson count is the exact one', () => {
  const published = [
    [0, 0, 3.689],
    [1, 0.025, 5.572],
    [4, 1.09, 10.242],
    [10, 4.795, 18.39],
  ] as const
  for (const [count, low, high] of published) {
    const [from, to] = poissonInterval(count)
    expect([from, to]).toEqual([expect.closeTo(low, 2), expect.closeTo(high, 2)])
  }
})

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
describe.skipIf(replayDir === '')('the crisis rules on the recordings', () => {
  const judged = replayDir === '' ? [] : replaysOf(replayDir).map(judge)

  test('open an alert in each of the three crises, at most 20 minutes after its condition began', () => {
    const crises = judged.filter(({ replay }) => replay.kind !== 'calm')
    expect(crises).toHaveLength(3)
    for (const { replay, opened } of crises) {
      const own = opened.filter(({ inDanger }) => inDanger)
      expect(own.length, replay.name).toBeGreaterThan(0)
      expect(Math.max(...own.map(({ delayMinutes }) => delayMinutes)), replay.name).toBeLessThanOrEqual(20)
    }
  })

  test('open nothing on calm recordings, nor on pairs that did not collapse on a day on which the whole market fell', () => {
    expect(judged.filter(({ replay }) => replay.kind === 'calm')).toHaveLength(2)
    for (const { opened, shown } of judged) {
      expect(opened.filter(({ inDanger }) => !inDanger)).toEqual([])
      expect(shown.alerted).toBe(0)
    }
    // What cannot be judged is not called free of false alarms.
    for (const rule of CRISIS_RULES)
      if (falseAlarms(judged, 'calm', rule).pairWeeks === 0) expect(falseAlarms(judged, 'calm', rule).per100).toBeNull()
  })

  test('are described by the page, byte for byte', () => {
    const path = join(import.meta.dirname, '../../../docs/method/crisis-calibration.md')
    expect(crisisPage(judged)).toBe(readFileSync(path, 'utf8'))
  })
})
