import { expect, test } from 'vitest'
import { randomOf } from '../contract/random.ts'
import { growthOf, judgeGrowth } from './growth.ts'

const numbers = (text: string) => text.split(' ').map(Number)

/** Recorded on a busy machine without a leak: heap in MB, listeners and connections of a platform. */
const noisy = {
  heapMb: numbers('83.5 83.2 82.7 84.7 85.0 84.0 84.0 83.5 85.1 84.4 84.0 82.2 83.6 84.1 83.4 83.6'),
  listeners: numbers('15 11 18 23 15 23 19 24 24 9 9 15 21 27 19 23'),
  handles: numbers('129 122 134 138 135 135 134 141 138 115 115 116 134 148 133 144'),
  connections: numbers('46 46 46 46 46 46 46 46 46 36 40 45 47 47 47 47'),
  lag: numbers('1 1 0 2 0 0 0 1 0 0 2 0 2 0 0 0 0 0 0 1 3 0'),
}

test('recorded noise is not judged to grow', () => {
  expect(judgeGrowth(noisy).growing).toEqual([])
})

test.each([1, 0.5])('a leak of %d a sample is found in each recorded series', (leak) => {
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
  for (const [name, values] of Object.entries(noisy)) {
    const leaking = values.map((value, at) => value + at * leak * spread(values))
    expect(judgeGrowth({ ...noisy, [name]: leaking }).growing, name).toEqual([name])
  }
})

test('a single step, an outlier and a fall are not growth', () => {
  const values = (of: (at: number) => number) => Array.from({ length: 20 }, (_, at) => of(at))
  const { growing } = judgeGrowth({
    step: values((at) => (at < 10 ? 40 : 41)),
    outlier: values((at) => (at === 15 ? 900 : 40)),
    fall: values((at) => 100 - at),
  })
  expect(growing).toEqual([])
})

test('of a thousand runs with six series of noise at most one in twenty is judged to grow', () => {
  const random = randomOf(1)
  const series = () => Array.from({ length: 20 }, () => random.next())
  const runs = Array.from({ length: 1_000 }, () =>
    judgeGrowth(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [at, series()]))),
  )
  expect(runs.filter(({ growing }) => growing.length > 0).length).toBeLessThanOrEqual(50)
})

test('too few samples are undecided, and neither flat nor growth', () => {
  const { growing, undecided } = judgeGrowth({ few: [1, 2, 3], enough: [1, 2, 1, 2, 1, 2, 1, 2] })
  expect({ growing, undecided }).toEqual({ growing: [], undecided: ['few'] })
})

test('the interval of a steady rise is around its slope', () => {
  const { low, slope, high } = growthOf(
    Array.from({ length: 30 }, (_, at) => 3 * at),
    0.95,
  )
  expect([low, slope, high]).toEqual([3, 3, 3])
})

/** Recorded in an hour without a known leak, each sixth sample: heap in MB while V8 learns the program. */
const settlingHeap = numbers(
  '110 110 111 111 112 111 113 111 111 111 111 111 111 111 112 112 113 112 112 113 112 112 112 112 112 112 112 113 114 112 112 112 113 113 112 112 112 114 113 114 112 112 112 113 113 114 112 112 112 112 113 113 113 113 113 113 113 113 113 113 113 113 113',
)

test('a heap that settles within its share is not judged to grow; one that holds what it has used is', () => {
  expect(judgeGrowth({ heapMb: settlingHeap }).growing).toEqual(['heapMb'])
  expect(judgeGrowth({ heapMb: settlingHeap }, { heapMb: 0.03 }).growing).toEqual([])
  // Signals that Node kept added 13 MB in half an hour.
  const kept = settlingHeap.map((mb, at) => mb + (13 * at) / (settlingHeap.length / 2))
  expect(judgeGrowth({ heapMb: kept }, { heapMb: 0.03 }).growing).toEqual(['heapMb'])
  // A seventh of that is found, too.
  const slow = settlingHeap.map((mb, at) => mb + (13 * at) / (settlingHeap.length / 2) / 7)
  expect(judgeGrowth({ heapMb: slow }, { heapMb: 0.03 }).growing).toEqual(['heapMb'])
})
