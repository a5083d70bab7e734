import { expect, test } from 'vitest'
import { planEnding, type Ending } from './plan-ending.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const ago = (sec: number) => new Date(now.getTime() - sec * 1000)
const nothingOwed = { flat: true, owed: 9_999n }
const leg: Ending = {
  overAt: ago(100),
  legOpen: true,
  legOut: 60_000_000n,
  openTransfers: 0,
  lastSent: false,
  explained: nothingOwed,
}
const planOf = (changed: Partial<Ending>) => planEnding({ ...leg, ...changed }, 86_400, now)

test('a flat leg of a mandate that is over is closed with nothing if less than 0.01 USDC is owed', () => {
  expect(planOf({})).toEqual({ do: 'closing', amount: 0n })
  expect(planOf({ explained: { flat: true, owed: 10_000n } })).toBeNull()
})

test.each([
  ['may trade', { overAt: null }],
  ['has no open leg', { legOpen: false }],
  ['has money under way', { openTransfers: 1 }],
  ['sent its last money a moment ago', { lastSent: true }],
  ['has a position', { explained: { ...nothingOwed, flat: false } }],
  ['was not explained by a reading of its own', { explained: null }],
] as const)('a leg whose mandate or account %s is not closed', (_, changed) => {
  expect(planOf(changed)).toBeNull()
})

test('after the deadline a leg ends by what is known last of it, at most with what the vault has out', () => {
  const owing = { explained: { flat: false, owed: 50_000_000n } }
  expect(planOf({ ...owing, overAt: ago(86_399) })).toBeNull()
  for (const known of [owing, { explained: null }])
    expect(planOf({ ...known, overAt: ago(86_400) })).toEqual({ do: 'fallback', amount: 60_000_000n })
})
