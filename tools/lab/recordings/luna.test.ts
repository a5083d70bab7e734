import type { CrisisObservation } from '@svc/market-data/crisis/rules/crisis-rules'
import {
  endCrises,
  newCrisisState,
  return60m,
  stepCrisis,
  type CrisisEpisode,
  type CrisisState,
} from '@svc/market-data/crisis/rules/crisis'
import { describe, expect, test } from 'vitest'
import { readLuna, type HalfHour } from './luna.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
const halfHourMs = 30 * 60_000

const observe = ({ atMs, close }: HalfHour): CrisisObservation => ({
  atMs,
  priceUsd: close,
  candlePrices: null,
  marketReturn60m: null,
  book: null,
  trades: null,
  halted: null,
  peggedToUsd: false,
  referencePriceUsd: null,
  flags: null,
})

function run(halfHours: readonly HalfHour[]) {
  let state: CrisisState = newCrisisState()
  const opened: CrisisEpisode[] = []
  for (const halfHour of halfHours) {
    const step = stepCrisis(state, observe(halfHour))
    state = step.state
    opened.push(...step.opened)
  }
  return { state, opened }
}

describe.skipIf(replayDir === '')('LUNA in May 2022', () => {
  test('the old token crashes until it ends, and the new one on its symbol starts without its past', () => {
    const all = readLuna(replayDir)
    const gap = all.findIndex(({ atMs }, index) => atMs - (all[index - 1]?.atMs ?? atMs) > 24 * 2 * halfHourMs)
    const [old, reused] = [all.slice(0, gap), all.slice(gap)]
    expect([old.at(-1)?.close, reused[0]?.close].map((price) => (price ?? NaN) > 1)).toEqual([false, true])

    const before = run(old)
    expect(new Date(before.opened[0]?.openedAtMs ?? 0).toISOString().slice(0, 10)).toBe('2022-05-09')
    const endMs = (old.at(-1)?.atMs ?? 0) + halfHourMs
    for (const episode of endCrises(before.state, endMs))
      expect(episode).toMatchObject({ rule: 'crash', reason: 'ended' })

    const [first] = reused
    if (!first) throw new Error('the recording holds no second token')
    expect(return60m(newCrisisState(), first.atMs, first.close, null)).toBe(null)
    expect(run(reused.slice(0, 4)).opened).toEqual([])
    // Carried on, the old token's last price would look like a rise of ten thousands of times, and hide any crash.
    expect(first.close / (old.at(-1)?.close ?? 1)).toBeGreaterThan(10_000)
  })
})
