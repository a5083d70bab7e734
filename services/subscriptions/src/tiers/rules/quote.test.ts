import { MONTH_SECONDS, tiers } from '@svc/contracts/subscriptions/tiers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quote, runningAt, unusedSeconds, type PaidTier, type Running, type Subscription } from './quote.ts'

const NOW = new Date('2026-11-21T09:00:00.000Z')
const day = 86_400_000
const at = (milliseconds: number, from = NOW) => new Date(from.getTime() + milliseconds)

const bought = (tier: PaidTier, months: number, now = NOW): Running => {
  const made = quote(null, tier, months, now)
  if (made === null) throw new Error('nothing is running')
  return made.next
}

const months = fc.integer({ min: 1, max: 12 })
const paidTier = fc.constantFrom<PaidTier>(1, 2)
const instants = fc.date({
  min: new Date('2024-01-01T00:00:00.000Z'),
  max: new Date('2040-01-01T00:00:00.000Z'),
  noInvalidDate: true,
})

test('a first purchase runs whole 30-day months from the moment it is paid, across leap days and year ends', () => {
  expect(bought(1, 1, new Date('2028-02-15T23:59:59.999Z')).endsAt.toISOString()).toBe('2028-03-16T23:59:59.999Z')
  expect(bought(2, 12, new Date('2026-12-31T00:00:00.000Z')).endsAt.toISOString()).toBe('2027-12-26T00:00:00.000Z')
  fc.assert(
    fc.property(paidTier, months, instants, (tier, count, now) => {
      const made = quote(null, tier, count, now)
      expect(made).toMatchObject({
        action: 'start',
        credit: 0,
        charge: count * tiers[tier].cherry_per_month,
        leftoverSeconds: 0,
      })
      expect((made?.next.endsAt.getTime() ?? 0) - now.getTime()).toBe(count * 30 * day)
    }),
  )
})

test('buying the same tier extends it from its end, at any time during it', () => {
  fc.assert(
    fc.property(
      paidTier,
      months,
      months,
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (tier, first, second, part) => {
        const running = bought(tier, first)
        const made = quote(running, tier, second, at(Math.floor(first * 30 * day * part)))
        expect(made?.action).toBe('extend')
        expect((made?.next.endsAt.getTime() ?? 0) - running.endsAt.getTime()).toBe(second * 30 * day)
        expect(made?.next.paid).toBe((first + second) * tiers[tier].cherry_per_month)
      },
    ),
  )
})

test('an upgrade halfway through a month credits half of what was paid', () => {
  const made = quote(bought(1, 1), 2, 1, at(15 * day))
  expect(made).toMatchObject({
    action: 'upgrade',
    price: 25_000,
    credit: 5_000,
    charge: 20_000,
    leftover: 0,
    leftoverSeconds: 0,
  })
  expect(made?.next).toMatchObject({ tier: 2, paid: 25_000, boughtSeconds: MONTH_SECONDS })
})

test('credit above the price becomes time of the new tier and nothing is charged', () => {
  const made = quote(bought(1, 12), 2, 1, NOW)
  expect(made).toMatchObject({
    credit: 120_000,
    charge: 0,
    leftover: 95_000,
    leftoverSeconds: (95_000 * MONTH_SECONDS) / 25_000,
  })
  expect(made?.next.endsAt.toISOString()).toBe(at(30 * day + 95_000 * 103_680).toISOString())
})

test('an upgrade never loses value beyond the rounding of one Cherry and one second, and never makes any', () => {
  fc.assert(
    fc.property(
      months,
      months,
      months,
      fc.integer({ min: 0, max: 12 * 30 * day - 1 }),
      (first, extended, target, elapsed) => {
        const start = bought(1, first)
        const running = quote(start, 1, extended, NOW)?.next ?? start
        const now = at(Math.min(elapsed, running.endsAt.getTime() - NOW.getTime() - 1))
        const made = quote(running, 2, target, now)
        if (made === null) throw new Error('an upgrade is possible')
        const worth = (BigInt(running.paid) * BigInt(unusedSeconds(running, now))) / BigInt(running.boughtSeconds)
        expect(BigInt(made.credit)).toBe(worth)
        expect(made.charge + made.credit - made.leftover).toBe(made.price)
        expect(made.charge === 0 || made.leftover === 0).toBe(true)
        const seconds = Math.floor((made.next.endsAt.getTime() - now.getTime()) / 1000)
        const fair = ((made.charge + made.credit) * MONTH_SECONDS) / tiers[2].cherry_per_month
        expect(seconds).toBeLessThanOrEqual(fair)
        expect(seconds).toBeGreaterThan(fair - 1)
      },
    ),
  )
})

test('a later upgrade has a smaller credit and a larger charge', () => {
  fc.assert(
    fc.property(months, months, fc.nat(12 * 30 * day), fc.nat(12 * 30 * day), (first, target, a, b) => {
      const running = bought(1, first)
      const limit = first * 30 * day - 1
      const [early, late] = [Math.min(a, b, limit), Math.min(Math.max(a, b), limit)]
      const [before, after] = [quote(running, 2, target, at(early)), quote(running, 2, target, at(late))]
      expect(before?.credit).toBeGreaterThanOrEqual(after?.credit ?? Number.NaN)
      expect(before?.charge).toBeLessThanOrEqual(after?.charge ?? Number.NaN)
    }),
  )
})

test('an upgrade after an extension keeps the stored payment consistent with the stored time', () => {
  const upgraded = quote(bought(1, 12), 2, 3, at(7 * day))?.next
  if (upgraded === undefined) throw new Error('an upgrade is possible')
  expect((upgraded.endsAt.getTime() - at(7 * day).getTime()) / 1000).toBe(upgraded.boughtSeconds)
})

test('a lower tier cannot be bought while a higher one runs, and can at the very end', () => {
  const running = bought(2, 1)
  expect(quote(running, 1, 1, at(30 * day - 1))).toBeNull()
  expect(runningAt(running, running.endsAt)).toBeNull()
  expect(runningAt(running, at(-1, running.endsAt))).not.toBeNull()
})

test('a clock that goes back never credits more than was paid', () => {
  expect(quote(bought(1, 1), 2, 1, at(-5 * day))?.credit).toBe(10_000)
})

test('an account without a subscription, or set to Free, has no running tier', () => {
  const free: Subscription = { tier: 0, startedAt: null, endsAt: null, paid: 0, boughtSeconds: 0 }
  expect(runningAt(null, NOW)).toBeNull()
  expect(runningAt(free, NOW)).toBeNull()
})
