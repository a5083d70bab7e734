import fc from 'fast-check'
import { expect, test } from 'vitest'
import { worthOf, type Figures } from './worth-of.ts'

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const figures: fc.Arbitrary<Figures> = fc
  .record({
    accounted: amount,
    principal: amount,
    withdrawn: amount,
    feeTotal: amount,
    feeOwed: amount,
    legOut: fc.oneof(fc.constant(0n), amount),
    excess: amount,
  })
  .map(({ excess, ...rest }) => ({ ...rest, balance: rest.accounted + rest.feeOwed + excess }))
const positions = fc.option(fc.array(fc.record({ value: fc.option(amount) }), { maxLength: 5 }))

test('a worth is known or withheld for a reason, never both, and is never below what the vault accounts for', () => {
  fc.assert(
    fc.property(figures, positions, fc.boolean(), (of, held, uncovered) => {
      const { worth, withheld, vaultUsdc, unbooked, positions: sum } = worthOf(of, { uncovered, positions: held })
      expect(worth === null).toBe(withheld !== null)
      expect(vaultUsdc).toBe(of.balance - of.feeOwed)
      expect(vaultUsdc - unbooked).toBe(of.accounted)
      if (worth !== null) {
        expect(worth).toBe(vaultUsdc + (sum ?? 0n))
        expect(worth >= of.accounted).toBe(true)
      }
    }),
  )
})

test('a position without a price, a venue that cannot be read or money at the leg withholds the worth', () => {
  fc.assert(
    fc.property(figures, positions, (of, held) => {
      const { withheld } = worthOf(of, { uncovered: false, positions: held })
      if (held === null) expect(withheld).toBe('venue_unreadable')
      else if (held.some(({ value }) => value === null)) expect(withheld).toBe('position_without_price')
      else expect(withheld).toBe(of.legOut > 0n ? 'leg_money_out' : null)
    }),
  )
})

test('a target that no adapter reads withholds the worth as soon as money has gone in or come out', () => {
  fc.assert(
    fc.property(figures, (of) => {
      const still = { ...of, legOut: 0n, principal: of.accounted + of.withdrawn + of.feeTotal }
      expect(worthOf(still, { uncovered: true, positions: [] }).withheld).toBeNull()
      const spent = { ...still, principal: still.principal + 1n }
      expect(worthOf(spent, { uncovered: true, positions: [] }).withheld).toBe('position_without_adapter')
    }),
  )
})
