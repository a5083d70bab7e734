import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeOn } from '@svc/limits'
import { fallbackOf, feeOwed, owedBy, type Known } from './fallback.ts'

const at = (value: bigint, foreign_money: bigint) => ({ value, foreign_money })
const known: Known = { now: null, lately: [], marked: null, legOut: 100n }

test('the vault gets what the account holds of the leg by the explained reading of now', () => {
  expect(fallbackOf({ ...known, now: at(80n, 30n), lately: [at(1n, 0n)], marked: 2n })).toEqual({
    amount: 50n,
    kept: 0n,
    beyond: 0n,
  })
  expect(fallbackOf({ ...known, now: at(-5n, 0n) })).toEqual({ amount: 0n, kept: 0n, beyond: 0n })
})

test('without one the lowest explained reading of the last hour counts, then the last mark, and unknown is never zero', () => {
  expect(fallbackOf({ ...known, lately: [at(90n, 0n), at(70n, 10n), at(80n, 0n)], marked: 2n })).toEqual({
    amount: 60n,
    kept: 0n,
    beyond: 0n,
  })
  expect(fallbackOf({ ...known, marked: 42n })).toEqual({ amount: 42n, kept: 0n, beyond: 0n })
  expect(fallbackOf(known)).toBeNull()
})

test('money that the owner moved away is kept by the owner, and the vault gets never more than it has out', () => {
  // The owner had 20 and moved 420 to spot: 400 of them are of the leg.
  expect(fallbackOf({ ...known, now: at(0n, -400n) })).toEqual({ amount: 0n, kept: 400n, beyond: 400n })
  expect(fallbackOf({ ...known, now: at(300n, 0n) })).toEqual({ amount: 100n, kept: 0n, beyond: 200n })
})

test('whatever is known, the amount is within zero, what is out and what is owed; all that is owed and not held is kept', () => {
  const units = fc.bigInt(-1_000n, 1_000n)
  const reading = fc.record({ value: units, foreign_money: units })
  const positive = fc.bigInt(0n, 1_000n)
  fc.assert(
    fc.property(fc.option(reading), fc.array(reading), fc.option(positive), positive, (now, lately, marked, legOut) => {
      const end = fallbackOf({ now, lately, marked, legOut })
      if (end === null) {
        expect([now, lately.length, marked]).toEqual([null, 0, null])
        return
      }
      expect(end.amount >= 0n && end.amount <= legOut && end.kept >= 0n).toBe(true)
      expect(end.beyond >= end.kept).toBe(true)
      if (now !== null) expect(end.amount + end.beyond).toBe(owedBy(now))
    }),
  )
})

test('however what is owed is divided, the fee of the vault and the fee that is owed are the fee on all of it', () => {
  const units = fc.bigInt(-1_000_000_000_000n, 1_000_000_000_000n)
  const positive = fc.bigInt(0n, 1_000_000_000_000n)
  fc.assert(
    fc.property(units, positive, positive, fc.bigInt(0n, 5_000n), (profit, amount, beyond, feeBps) => {
      const fee = feeOwed({ amount, kept: 0n, beyond }, { profit, feeBps, legOut: amount })
      expect(feeOn(profit + amount, feeBps) + fee).toBe(feeOn(profit + amount + beyond, feeBps))
    }),
  )
})

test('where the profit of the vault is unknown, the rest of it broke even', () => {
  const basis = { profit: null, feeBps: 1_000n, legOut: 400n }
  expect(feeOwed({ amount: 400n, kept: 0n, beyond: 100n }, basis)).toBe(10n)
  // The first 100 make up for what the vault did not get back.
  expect(feeOwed({ amount: 300n, kept: 200n, beyond: 200n }, basis)).toBe(10n)
})
