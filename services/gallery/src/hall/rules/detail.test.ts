import { hallDetail } from '@svc/contracts/gallery/hall'
import { expect, test } from 'vitest'
import type { MandateInput } from './inputs.ts'
import { stopLineOf } from './detail.ts'
import { recordOf } from './record.ts'

const days = Array.from({ length: 800 }, (_, at) => ({ day: 20_000 + at, start: 1e8, peak: 1e8, gain: 123_456 }))
const mandate = (n: number): MandateInput => ({
  publicId: `mdt_${n.toString(16).padStart(32, '0')}`,
  ownerId: n,
  state: 'working',
  proof: { chainId: 84_532, vault: `0x${'a'.repeat(40)}` },
  hlLeg: true,
  principal: 1e8,
  stopLine: 0,
  closing: null,
  opened: 20_000,
  ended: null,
  record: { seq: 99_999, hash: 'f'.repeat(64) },
  tradesTotal: 800,
  marked: 20_799,
  days,
  trades: [7, 30, 90, 800],
  acts: [],
  refusals: [[20_001, { OverDailyCap: 3 }]],
  blocks: days.map(({ day }) => [day, Array.from({ length: 12 }, (_, at) => 90_000_000 + day * 100 + at)]),
})

test('the page of an agent with many public mandates fits into one message, and says what is left out', () => {
  const { detail } = recordOf(
    {
      agentId: 1,
      name: 'n',
      accepting: true,
      siblings: 0,
      ownOwners: new Set(),
      policyChanges: [],
      mandates: Array.from({ length: 60 }, (_, n) => mandate(n)),
    },
    20_800,
  )
  expect(hallDetail.parse(detail)).toEqual(detail)
  expect(JSON.stringify(detail).length).toBeLessThan(900_000)
  expect(detail).toMatchObject({ mandates_left: 10 })
  expect(detail.mandates).toHaveLength(50)
  expect(detail.mandates[0]).toMatchObject({ mandate: 'm60', proof: { points_left: 800 - 366 } })
  expect(detail.mandates[0]?.proof?.points.at(-1)?.day).toBe('2026-12-12')
  expect(detail.mandates.at(-1)?.proof).toMatchObject({ points: [], points_left: 800 })
})

test('the stop line stands as far below the index as below the worth, whatever was paid in or out', () => {
  const days = [
    { day: 1, result: 0.1 },
    { day: 2, result: -0.5 },
  ]
  const line = (stopLine: number, closing: MandateInput['closing']) =>
    stopLineOf({ stopLine, closing } as MandateInput, days)
  expect(line(400, { day: 2, worth: 500 })).toBe(44)
  expect(line(400, { day: 1, worth: 500 })).toBe(88)
  // A mandate that stopped below its line.
  expect(line(400, { day: 2, worth: 390 })).toBe(56.41)
  expect(line(0, { day: 2, worth: 500 })).toBeNull()
  expect(line(400, null)).toBeNull()
})

test('days that are not the agent alone are counted by window and mandate, days with violations apart, and today not yet', () => {
  const acts = [
    { day: 20_600, violations: 0, foreign: 1 },
    { day: 20_797, violations: 1, foreign: 0 },
    { day: 20_798, violations: 0, foreign: 4 },
    { day: 20_800, violations: 0, foreign: 1 },
  ]
  const agent = { agentId: 1, name: 'n', accepting: true, siblings: 0, ownOwners: new Set<number>(), policyChanges: [] }
  // Two mandates on one day are one day of the agent.
  const mandates = [
    { ...mandate(1), acts },
    { ...mandate(2), acts: acts.slice(2, 3) },
  ]
  const { windows, detail } = recordOf({ ...agent, mandates }, 20_800)
  expect(windows.map(({ foreign_days }) => foreign_days)).toEqual([1, 1, 1, 2])
  expect(detail.mandates.map(({ foreign_days }) => foreign_days)).toEqual([1, 2])
})
