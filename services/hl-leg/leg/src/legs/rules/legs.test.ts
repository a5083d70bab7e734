import fc from 'fast-check'
import { expect, test } from 'vitest'
import { legsMax } from './capacity.ts'
import { approvalEnd, standingOf } from './standing.ts'

const now = new Date('2026-11-22T10:00:00.000Z')
const key = `0x${'a'.repeat(40)}`
const later = now.getTime() + 86_400_000

test('one address reads 26 legs with two dexes within two minutes, and fewer with more dexes or fresher readings', () => {
  expect(legsMax({ minuteMax: 320, maxAgeSec: 120, dexes: 2 })).toBe(26)
  expect(legsMax({ minuteMax: 320, maxAgeSec: 120, dexes: 1 })).toBe(31)
  expect(legsMax({ minuteMax: 320, maxAgeSec: 60, dexes: 2 })).toBe(21)
  expect(legsMax({ minuteMax: 32, maxAgeSec: 120, dexes: 2 })).toBe(0)
})

test('a leg is bound only with our key, listed and alive, in a mode that legs support', () => {
  const agent = fc.record({
    name: fc.constantFrom('svc-leg', 'other'),
    address: fc.constantFrom(key, `0x${'b'.repeat(40)}`),
    validUntil: fc.constantFrom(null, later, now.getTime() - 1),
  })
  const facts = fc.record({
    key: fc.constant(key),
    isOurs: fc.boolean(),
    mode: fc.constantFrom('default', 'disabled', 'unifiedAccount', 'portfolioMargin', 'dexAbstraction'),
    agents: fc.array(agent, { maxLength: 4 }),
    validUntil: fc.constantFrom(null, new Date(later), new Date(now.getTime() - 1)),
  })
  fc.assert(
    fc.property(facts, (given) => {
      const { state } = standingOf(given, now)
      const isListed = given.agents.some(
        ({ address, validUntil }) => address === key && (validUntil === null || validUntil > now.getTime()),
      )
      const isSupported = given.mode === 'default' || given.mode === 'disabled'
      expect(state === 'bound').toBe(given.isOurs && isListed && isSupported)
      if (!given.isOurs) expect(state).toBe('orphaned')
    }),
  )
})

test('an approval lasts until a week after everything is returned, and never longer than the venue accepts', () => {
  const endsAt = new Date(now.getTime() + 10 * 86_400_000)
  expect(approvalEnd(endsAt, 86_400, now).toISOString()).toBe('2026-12-10T10:00:00.000Z')
  const far = new Date(now.getTime() + 400 * 86_400_000)
  expect(approvalEnd(far, 86_400, now).getTime() - now.getTime()).toBe(179 * 86_400_000)
  const over = new Date(now.getTime() - 86_400_000)
  expect(approvalEnd(over, 86_400, now) > now).toBe(true)
})
