import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CRISIS_RULES } from '@svc/market-data/crisis/rules/crisis-rules'
import { describe, expect, test } from 'vitest'
import { judge } from './measure.ts'
import { falseAlarms } from './false-alarms.ts'
import { crisisPage } from './page.ts'
import { poissonInterval } from './poisson.ts'
import { replaysOf } from './replays.ts'
import { syntheticMarkets } from './synthetic.ts'

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
  const madeUp = replayDir === '' ? [] : syntheticMarkets().map((replay) => ({ ...judge(replay), replay }))

  test('open an alert in each of the three crises, at most 20 minutes after its condition began', () => {
    const crises = judged.filter(({ replay }) => replay.kind !== 'calm' && replay.only === undefined)
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

  test('open a notice of every announced delisting, and none of an asset that trades on', () => {
    const [told] = judged.filter(({ replay }) => replay.only === 'official_notice')
    expect(told?.opened.map(({ id }) => id).toSorted()).toEqual([...(told?.replay.inDanger ?? [])].toSorted())
  })

  test('see at least nine of ten made-up episodes of books and notices while they last, four of five within 40 minutes', () => {
    for (const { replay, opened } of madeUp) {
      const delays = [...replay.episodes].flatMap(([id, { atMs }]) => {
        const seen = opened.find((one) => one.id === id && one.atMs >= atMs)
        return seen === undefined ? [] : [(seen.atMs - atMs) / 60_000]
      })
      expect(delays.length, replay.name).toBeGreaterThanOrEqual(0.9 * replay.episodes.size)
      expect(delays.filter((minutes) => minutes <= 40).length).toBeGreaterThan(0.8 * delays.length)
    }
  })

  test('are described by the page, byte for byte', () => {
    const path = join(import.meta.dirname, '../../../docs/method/crisis-calibration.md')
    expect(crisisPage(judged, madeUp)).toBe(readFileSync(path, 'utf8'))
  })
})
