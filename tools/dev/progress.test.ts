import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openProgress } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const stuck: [string, number][] = []
  const progress = openProgress({
    write: () => {},
    tty: false,
    stepMaxMs: 60_000,
    onStuck: (name, seconds) => stuck.push([name, seconds]),
  })
  return { progress, stuck }
}

test('a step without progress is reported as stuck after its limit', () => {
  const { progress, stuck } = watched()
  progress.step('servers')
  vi.advanceTimersByTime(60_000)
  expect(stuck).toEqual([])
  vi.advanceTimersByTime(15_000)
  expect(stuck).toEqual([['servers', 60]])
  progress.finish()
})

test('a step that advances is never stuck, however long it takes, and is stuck once it stops', () => {
  const { progress, stuck } = watched()
  progress.step('history')
  for (let day = 0; day < 30; day += 1) {
    progress.advance(120_000)
    vi.advanceTimersByTime(100_000)
  }
  expect(stuck).toEqual([])
  vi.advanceTimersByTime(45_000)
  expect(stuck[0]).toEqual(['history', 120])
  progress.finish()
})
