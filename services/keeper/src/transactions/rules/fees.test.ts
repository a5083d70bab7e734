import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chargedFee, replacementFees } from './fees.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 12n })

test('a replacement pays a tenth more of both at least, no less than the present price, and never more than allowed', () => {
  fc.assert(
    fc.property(wei, wei, wei, wei, wei, (feeMax, tip, presentMax, presentTip, cap) => {
      const before = { feeMax, tipMax: tip < feeMax ? tip : feeMax }
      const present = { feeMax: presentMax, tipMax: presentTip < presentMax ? presentTip : presentMax }
      const fees = replacementFees(before, present, cap)
      if (fees === null) {
        expect(before.feeMax * 5n + 5n > cap * 4n || present.feeMax > cap).toBe(true)
        return
      }
      expect(fees.feeMax * 10n >= before.feeMax * 11n && fees.tipMax * 10n >= before.tipMax * 11n).toBe(true)
      expect(fees.feeMax >= present.feeMax && fees.feeMax <= cap && fees.tipMax <= fees.feeMax).toBe(true)
    }),
  )
})

test('a fee is gas times its price, and on a rollup the fee for the data as well', () => {
  const receipt = { gasUsed: 21_000n, effectiveGasPrice: 7n }
  expect(chargedFee(receipt)).toBe(147_000n)
  expect(chargedFee({ ...receipt, l1Fee: '0x10' })).toBe(147_016n)
})
