import { expect, test } from 'vitest'
import { foreignBy } from './foreign.ts'

const at = (second: number) => new Date(second * 1_000)

test('foreign money as of a reading leaves out payments after it, in both directions, exactly', () => {
  const known = {
    foreign: '100000000000.000003',
    recent: [
      { at: at(10), effect: '0.000001' },
      { at: at(20), effect: '-5.000002' },
      { at: at(30), effect: '7' },
    ],
  }
  expect([0, 10, 20, 29, 30].map((second) => foreignBy(known, at(second)))).toEqual([
    '99999999998.000004',
    '99999999998.000005',
    '99999999993.000003',
    '99999999993.000003',
    '100000000000.000003',
  ])
})
