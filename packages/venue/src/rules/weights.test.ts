import { weightClasses } from '@svc/contracts/hl-leg/venue'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planSpending, shareOf, type Spent, type WeightClass } from './weights.ts'

const MINUTE = 1_200
interface Row {
  readonly at: number
  readonly class: WeightClass
  readonly lent: boolean
  readonly weight: number
}

/** What the rows of a history say at a second. */
function spentAt(rows: readonly Row[], now: number): Record<WeightClass, Spent> {
  const sum = (of: readonly Row[]) => of.reduce((total, { weight }) => total + weight, 0)
  const within = rows.filter(({ at }) => at > now - 60)
  return Object.fromEntries(
    weightClasses.map((one) => {
      const own = within.filter((row) => row.class === one)
      const recent = own.filter(({ at }) => at > now - 10)
      return [one, { minute: sum(own), recent: sum(recent), lent: sum(own.filter(({ lent }) => lent)) }]
    }),
  ) as Record<WeightClass, Spent>
}

const request = fc.record({
  wait: fc.integer({ min: 0, max: 12 }),
  by: fc.constantFrom(...weightClasses),
  weight: fc.integer({ min: 1, max: 120 }),
  more: fc.constantFrom(0, 0, 0, 25, 100),
})

/** Classes with a share of their own. */
const owners = weightClasses.filter((one) => one !== 'visitors')

test('no minute exceeds the weight of the address, closes keep all of their share, other classes five sixths', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 120 }), (requests) => {
      const rows: Row[] = []
      let now = 1_000
      for (const { wait, by, weight, more } of requests) {
        now += wait
        const spent = spentAt(rows, now)
        const own = spent[by].minute - spent[by].lent
        const isRelayed = by === 'relays' || by === 'visitors'
        const kept = by === 'closes' ? shareOf(by, MINUTE) : (shareOf(by, MINUTE) * 5) / 6
        const charges = planSpending(MINUTE, spent, by, { weight, atMost: weight + more })
        if (!isRelayed && own + weight + more <= kept) expect(charges).not.toBeNull()
        for (const charge of charges ?? []) rows.push({ ...charge, at: now })
        const after = spentAt(rows, now)
        expect(weightClasses.reduce((total, one) => total + after[one].minute, 0)).toBeLessThanOrEqual(MINUTE)
        for (const one of owners) expect(after[one].minute).toBeLessThanOrEqual(shareOf(one, MINUTE))
        const relayed = after.relays.minute + after.visitors.minute
        expect(relayed).toBeLessThanOrEqual(shareOf('relays', MINUTE))
        if (by === 'visitors' && more === 0 && charges !== null)
          expect(after.visitors.minute).toBeLessThanOrEqual(shareOf('visitors', MINUTE))
      }
    }),
    { numRuns: 300 },
  )
})

const idle: Spent = { minute: 0, recent: 0, lent: 0 }
const nothing: Record<WeightClass, Spent> = { closes: idle, orders: idle, worth: idle, relays: idle, visitors: idle }
const exactly = (weight: number) => ({ weight, atMost: weight })

test('relays use what orders and worth left unused, and nothing of closes', () => {
  expect(planSpending(MINUTE, nothing, 'relays', exactly(286))).toEqual([
    { class: 'relays', lent: false, weight: 200 },
    { class: 'worth', lent: true, weight: 53 },
    { class: 'orders', lent: true, weight: 33 },
  ])
  expect(planSpending(MINUTE, nothing, 'relays', exactly(287))).toBeNull()
})

test('a class that was busy in the last ten seconds lends nothing', () => {
  const busy = { ...nothing, worth: { minute: 60, recent: 60, lent: 0 }, orders: { minute: 40, recent: 40, lent: 0 } }
  expect(planSpending(MINUTE, busy, 'relays', exactly(201))).toBeNull()
})

test('visitors spend at most half of what relays have, borrow nothing, and leave the other half', () => {
  expect(planSpending(MINUTE, nothing, 'visitors', exactly(100))).toEqual([
    { class: 'visitors', lent: false, weight: 100 },
  ])
  expect(planSpending(MINUTE, nothing, 'visitors', exactly(101))).toBeNull()
  const full = { ...nothing, visitors: { minute: 100, recent: 100, lent: 0 } }
  expect(planSpending(MINUTE, full, 'visitors', exactly(1))).toBeNull()
  expect(planSpending(MINUTE, full, 'relays', exactly(100))).toEqual([{ class: 'relays', lent: false, weight: 100 }])
  const busy = { ...nothing, relays: { minute: 190, recent: 0, lent: 0 } }
  expect(planSpending(MINUTE, busy, 'visitors', exactly(11))).toBeNull()
})

test('a read of unknown length spends its greatest weight first, and passes only if relays have that much left', () => {
  const history = { weight: 20, atMost: 120 }
  expect(planSpending(MINUTE, nothing, 'visitors', history)).toEqual([{ class: 'visitors', lent: false, weight: 120 }])
  const used = (minute: number) => ({ ...nothing, relays: { minute, recent: 0, lent: 0 } })
  expect(planSpending(MINUTE, used(80), 'visitors', history)).not.toBeNull()
  expect(planSpending(MINUTE, used(81), 'visitors', history)).toBeNull()
})
