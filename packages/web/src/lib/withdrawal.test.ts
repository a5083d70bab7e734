import { accrueFee, newVault, nobody, type Terms } from '@svc/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withdrawalOf } from './withdrawal.ts'

const money = fc.bigInt(0n, 2_000_000_000n)

test('a withdrawal pays what the rules of the vault leave after the fee', () => {
  fc.assert(
    fc.property(
      money,
      money,
      money,
      money,
      fc.integer({ min: 0, max: 3_000 }),
      (principal, balance, withdrawn, fee, feeBps) => {
        const terms = { feeBps: BigInt(feeBps) } as Terms
        const before = { ...newVault(nobody), principal, accounted: balance, withdrawn, feeTotal: fee }
        const after = accrueFee(terms, before)
        expect(withdrawalOf({ principal, balance, withdrawn, fee, feeBps })).toEqual({
          amount: after.accounted,
          fee: after.feeTotal - fee,
        })
      },
    ),
  )
})
