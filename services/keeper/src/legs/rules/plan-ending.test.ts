import { expect, test } from 'vitest'
import { planEnding, type Ending } from './plan-ending.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const ago = (sec: number) => new Date(now.getTime() - sec * 1000)
const leg: Ending = {
  overAt: ago(100),
  legOpen: true,
  openTransfers: 0,
  lastSent: false,
  isSound: true,
  flat: true,
  withdrawable: 50_000_000n,
  value: 50_000_000n,
  foreign: 0n,
}
const planOf = (changed: Partial<Ending>) => planEnding({ ...leg, ...changed }, 86_400, now)

test('a leg of a mandate that is over is closed with nothing once nothing is left to return', () => {
  expect(planOf({ withdrawable: 9_999n })).toEqual({ do: 'closing', amount: 0n })
  expect(planOf({ foreign: 50_000_000n })).toEqual({ do: 'closing', amount: 0n })
})

test.each([
  ['may trade', { overAt: null }],
  ['has no open leg', { legOpen: false }],
  ['has money under way', { openTransfers: 1 }],
  ['sent its last money a moment ago', { lastSent: true }],
  ['has a position', { flat: false }],
  ['was not read well', { isSound: false }],
] as const)('a leg whose mandate or account %s is not closed', (_, changed) => {
  expect(planOf({ withdrawable: 0n, ...changed })).toBeNull()
})

test('after the deadline the vault gets what the leg was worth at the last good reading, never foreign money', () => {
  expect(planOf({ overAt: ago(86_399) })).toBeNull()
  const over = { overAt: ago(86_400) }
  expect(planOf(over)).toEqual({ do: 'fallback', amount: 50_000_000n })
  expect(planOf({ ...over, foreign: 20_000_000n })).toEqual({ do: 'fallback', amount: 30_000_000n })
  expect(planOf({ ...over, foreign: -20_000_000n })).toEqual({ do: 'fallback', amount: 50_000_000n })
  expect(planOf({ ...over, isSound: false, value: null, foreign: null })).toEqual({ do: 'fallback', amount: 0n })
  expect(planOf({ ...over, flat: false, value: -1n })).toEqual({ do: 'fallback', amount: 0n })
})
