import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LegPart } from './leg-part.ts'
import { worthOf, type Figures } from './worth-of.ts'

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const figures: fc.Arbitrary<Figures> = fc
  .record({
    accounted: amount,
    principal: amount,
    withdrawn: amount,
    feeTotal: amount,
    feeOwed: amount,
    legPaid: fc.oneof(fc.constant(0n), amount),
    excess: amount,
  })
  .map(({ excess, ...rest }) => ({ ...rest, balance: rest.accounted + rest.feeOwed + excess }))
const leg: fc.Arbitrary<LegPart | null> = fc.oneof(
  fc.constant(null),
  amount.map((worth) => ({ worth, drawn: 0n, withheld: null })),
  fc.constant({ worth: null, drawn: null, withheld: 'leg_reading_old' }),
)
const positions = fc.option(fc.array(fc.record({ value: fc.option(amount) }), { maxLength: 5 }))

test('a worth is known or withheld for a reason, never both, and is never below what the vault accounts for', () => {
  fc.assert(
    fc.property(figures, positions, leg, fc.boolean(), (of, held, part, uncovered) => {
      const { worth, withheld, vaultUsdc, unbooked, positions: sum } = worthOf(of, { uncovered, positions: held }, part)
      expect(worth === null).toBe(withheld !== null)
      expect(vaultUsdc).toBe(of.balance - of.feeOwed)
      expect(vaultUsdc - unbooked).toBe(of.accounted)
      if (worth !== null) {
        expect(worth).toBe(vaultUsdc + (sum ?? 0n) + (part?.worth ?? 0n))
        expect(worth >= of.accounted).toBe(true)
      }
    }),
  )
})

test('a position without a price, a venue that cannot be read or a leg that counts in no mark withholds the worth', () => {
  fc.assert(
    fc.property(figures, positions, leg, (of, held, part) => {
      const { withheld } = worthOf(of, { uncovered: false, positions: held }, part)
      if (held === null) expect(withheld).toBe('venue_unreadable')
      else if (held.some(({ value }) => value === null)) expect(withheld).toBe('position_without_price')
      else expect(withheld).toBe(part?.withheld ?? null)
    }),
  )
})

test('a target that no adapter reads withholds the worth as soon as money has gone in or come out', () => {
  fc.assert(
    fc.property(figures, (of) => {
      const still = { ...of, principal: of.accounted + of.withdrawn + of.feeTotal + of.legPaid }
      expect(worthOf(still, { uncovered: true, positions: [] }, null).withheld).toBeNull()
      const spent = { ...still, principal: still.principal + 1n }
      expect(worthOf(spent, { uncovered: true, positions: [] }, null).withheld).toBe('position_without_adapter')
    }),
  )
})
