import fc from 'fast-check'
import { usdcText } from '@svc/limits'
import { expect, test } from 'vitest'
import { amountsFor } from './amounts.ts'

test('over any limits, one amount passes, one is above the approval amount within the caps, and one is above the cap', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
  fc.assert(
    fc.property(amount, amount, amount, fc.boolean(), (cap, left, approval, holds) => {
      const limits = {
        per_tx_cap_usdc: usdcText(cap),
        daily_cap_usdc: usdcText(left),
        approval_above_usdc: holds ? usdcText(approval) : null,
      }
      const { inside, held, above } = amountsFor(limits, usdcText(left))
      expect(above).toBeGreaterThan(cap)
      if (inside !== null) {
        expect(inside).toBeLessThanOrEqual(cap)
        expect(inside).toBeLessThanOrEqual(left)
        if (holds) expect(inside).toBeLessThanOrEqual(approval)
      }
      if (held === null) return
      expect(holds).toBe(true)
      expect(held).toBeGreaterThan(approval)
      expect(held).toBeLessThanOrEqual(cap)
      expect(held + (inside ?? 0n)).toBeLessThanOrEqual(left)
    }),
  )
})

test('usual limits give round amounts', () => {
  const limits = { per_tx_cap_usdc: '60', daily_cap_usdc: '150', approval_above_usdc: '40' }
  expect(amountsFor(limits, '150')).toEqual({ inside: 20_000_000n, held: 50_000_000n, above: 75_000_000n })
})
